import { chmodSync, rmSync } from 'node:fs';
import { FILTER_METADATA } from '../envoy/names.js';
import type { Service } from '../grpc/call.js';
import { GrpcServer } from '../grpc/server.js';
import type { Services } from '../pipeline/exchange/ports.js';
import { AccessLog } from './access-log.js';
import { AttemptStream } from './attempt-stream.js';
import { Exchanges } from './exchanges.js';
import { GatewayStream } from './gateway-stream.js';
import { METHODS } from './protocol.js';

/** An Envoy that hangs keeps its connection open, and with it all requests that are under way. */
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
  /** The route that Envoy is told for a chain of models. */
  chainRoute: string;
}): Promise<EngineServer> {
  const { socketPath, services, chainRoute } = options;
  const exchanges = new Exchanges();
  const accessLog = new AccessLog(exchanges);
  const open = new Set<GatewayStream>();
  const process: Service = (call) => {
    const filter = call.metadata.get(FILTER_METADATA);
    if (filter === 'attempt') return new AttemptStream(call, services, exchanges);
    const route = filter === undefined ? undefined : chainRoute;
    const stream = new GatewayStream(call, services, exchanges, route);
    open.add(stream);
    void stream.closed.then(() => open.delete(stream));
    return stream;
  };
  rmSync(socketPath, { force: true });
  const server = await GrpcServer.listen({
    socketPath,
    services: new Map([
      [METHODS.process, process],
      [METHODS.streamAccessLogs, (call) => accessLog.serve(call)],
    ]),
    maxMessageBytes: () => services.limits().request_body_bytes + MESSAGE_OVERHEAD_BYTES,
    keepaliveMs: KEEPALIVE_MS,
    onError: (err) => services.logger.error({ err }, 'a message of Envoy could not be taken'),
  });
  chmodSync(socketPath, 0o600);
  return {
    requestsInFlight: () => exchanges.size,
    drain: async () => {
      accessLog.close();
      await server.drain();
      await Promise.all([...open].map((stream) => stream.closed));
    },
    close: () => server.destroy(),
  };
}
