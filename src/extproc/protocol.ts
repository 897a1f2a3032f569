import { fileURLToPath } from 'node:url';
import type { MethodDefinition, ServiceDefinition } from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';

/*
 * The ext_proc messages as they are after decoding: the part of proto/ that the engine reads and writes. A
 * field that was not set is absent.
 */

export interface HeaderValue {
  key: string;
  value?: string;
  rawValue?: Buffer;
}

export interface HttpHeaders {
  headers?: { headers?: HeaderValue[] };
  endOfStream?: boolean;
}

export interface HttpBody {
  body?: Buffer;
  endOfStream?: boolean;
}

/** protobuf's Struct, as far as Envoy's attributes use it. */
export interface Struct {
  fields?: Record<string, StructValue>;
}

export interface StructValue {
  stringValue?: string;
  numberValue?: number;
  boolValue?: boolean;
  structValue?: Struct;
  listValue?: { values: StructValue[] };
}

export interface ProcessingRequest {
  request?:
    | 'requestHeaders'
    | 'responseHeaders'
    | 'requestBody'
    | 'responseBody'
    | 'requestTrailers'
    | 'responseTrailers';
  requestHeaders?: HttpHeaders;
  responseHeaders?: HttpHeaders;
  requestBody?: HttpBody;
  responseBody?: HttpBody;
  attributes?: Record<string, Struct>;
  metadataContext?: { filterMetadata?: Record<string, Struct> };
}

export interface HeaderMutation {
  setHeaders?: {
    header: { key: string; rawValue: Buffer };
    appendAction: 'OVERWRITE_IF_EXISTS_OR_ADD' | 'APPEND_IF_EXISTS_OR_ADD';
  }[];
  removeHeaders?: string[];
}

export interface CommonResponse {
  status?: 'CONTINUE' | 'CONTINUE_AND_REPLACE';
  headerMutation?: HeaderMutation;
  bodyMutation?: { body: Buffer } | { streamedResponse: { body: Buffer; endOfStream: boolean } };
  clearRouteCache?: boolean;
}

export interface ProcessingMode {
  requestHeaderMode: 'SEND';
  responseHeaderMode: 'SEND';
  responseBodyMode: 'FULL_DUPLEX_STREAMED';
  responseTrailerMode: 'SEND';
}

export interface ProcessingResponse {
  requestHeaders?: { response: CommonResponse };
  responseHeaders?: { response: CommonResponse };
  requestBody?: { response: CommonResponse };
  responseBody?: { response: CommonResponse };
  requestTrailers?: { headerMutation?: HeaderMutation };
  responseTrailers?: { headerMutation?: HeaderMutation };
  immediateResponse?: {
    status: { code: number };
    headers?: HeaderMutation;
    body?: Buffer;
    details?: string;
  };
  dynamicMetadata?: Struct;
  modeOverride?: ProcessingMode;
}

/** Entries of Envoy's access log, which has the requests that a provider broke off. */
export interface AccessLogMessage {
  httpLogs?: {
    logEntry?: {
      commonProperties?: {
        metadata?: { filterMetadata?: Record<string, Struct> };
        responseFlags?: { upstreamConnectionFailure?: boolean };
      };
      request?: { requestId?: string };
    }[];
  };
}

type ProcessMethod = MethodDefinition<ProcessingRequest, ProcessingResponse>;
type AccessLogMethod = MethodDefinition<AccessLogMessage, Record<string, never>>;

/** The services as grpc-js wants them, read from the files in proto/. */
export function loadExternalProcessor(): ServiceDefinition & { Process: ProcessMethod } {
  const service = load('envoy.service.ext_proc.v3.ExternalProcessor', 'ext_proc/v3/external_processor.proto');
  return service as ServiceDefinition & { Process: ProcessMethod };
}

export function loadAccessLog(): ServiceDefinition & { StreamAccessLogs: AccessLogMethod } {
  const service = load('envoy.service.accesslog.v3.AccessLogService', 'accesslog/v3/als.proto');
  return service as ServiceDefinition & { StreamAccessLogs: AccessLogMethod };
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
