import { chmodSync, rmSync } from 'node:fs';
import type { ServerDuplexStream } from '@grpc/grpc-js';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { FILTER_METADATA } from '../envoy/names.js';
import type { Services } from '../pipeline/ports.js';
import { AccessLog } from './access-log.js';
import { AttemptStream } from './attempt-stream.js';
import { Exchanges } from './exchanges.js';
import { GatewayStream } from './gateway-stream.js';
import type { ProcessingRequest, ProcessingResponse } from './protocol.js';
import { loadAccessLog, loadExternalProcessor } from './protocol.js';

const KEEPALIVE_MS = 20_000;

/** A request whose body is sent on whole to a provider comes and goes in one message. */
const MESSAGE_OVERHEAD_BYTES = 1024 * 1024;

export interface EngineServer {
  /** Requests whose gateway stream is open. */
  requestsInFlight(): number;
  /** Resolves when the streams that are open have ended, and their exchanges with them; new ones are refused. */
  drain(): Promise<void>;
  close(): void;
}

/** Serves ext_proc, and takes Envoy's access log, on a Unix socket that only this user may use. */
export async function startEngineServer(options: {
  socketPath: string;
  services: Services;
}): Promise<EngineServer> {
  const { socketPath, services } = options;
  const exchanges = new Exchanges();
  const accessLog = new AccessLog(exchanges);
  const open = new Set<GatewayStream>();
  const server = new Server({
    // Envoy's chunks are small, but headers and attributes ride along; grpc-js takes 4 MiB by default.
    'grpc.max_receive_message_length': services.limits().request_body_bytes + MESSAGE_OVERHEAD_BYTES,
    'grpc.max_send_message_length': -1,
    // An Envoy that hangs keeps its connection open, and with it all requests that are under way.
    'grpc.keepalive_time_ms': KEEPALIVE_MS,
    'grpc.keepalive_timeout_ms': KEEPALIVE_MS,
  });
  server.addService(loadExternalProcessor(), {
    Process(call: ServerDuplexStream<ProcessingRequest, ProcessingResponse>) {
      const isAttempt = call.metadata.get(FILTER_METADATA)[0] === 'attempt';
      if (isAttempt) {
        new AttemptStream(call, services, exchanges);
        return;
      }
      const stream = new GatewayStream(call, services, exchanges);
      open.add(stream);
      void stream.closed.then(() => open.delete(stream));
    },
  });
  server.addService(loadAccessLog(), {
    StreamAccessLogs: accessLog.serve.bind(accessLog),
  });
  rmSync(socketPath, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(`unix:${socketPath}`, ServerCredentials.createInsecure(), (error) =>
      error === null ? resolve() : reject(error),
    );
  });
  chmodSync(socketPath, 0o600);
  return {
    requestsInFlight: () => exchanges.size,
    drain: async () => {
      await new Promise<void>((resolve, reject) => {
        server.tryShutdown((error) => (error === undefined ? resolve() : reject(error)));
        accessLog.close();
      });
      await Promise.all([...open].map((stream) => stream.closed));
    },
    close: () => server.forceShutdown(),
  };
}
