import { fileURLToPath } from 'node:url';
import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

/* The services of `proto/`, read by a library. Tests compare our own reader and writer with it. */

type Method = MethodDefinition<object, object>;

export function loadExternalProcessor(): ServiceDefinition & { Process: Method } {
  const service = load('envoy.service.ext_proc.v3.ExternalProcessor', 'ext_proc/v3/external_processor.proto');
  return service as ServiceDefinition & { Process: Method };
}

export function loadAccessLog(): ServiceDefinition & { StreamAccessLogs: Method } {
  const service = load('envoy.service.accesslog.v3.AccessLogService', 'accesslog/v3/als.proto');
  return service as ServiceDefinition & { StreamAccessLogs: Method };
}

function load(name: string, file: string): ServiceDefinition {
  const root = fileURLToPath(new URL('../../proto', import.meta.url));
  const definition = loadSync(`envoy/service/${file}`, {
    includeDirs: [root],
    keepCase: false,
    longs: Number,
    enums: String,
    defaults: false,
    oneofs: true,
  });
  return definition[name] as unknown as ServiceDefinition;
}
