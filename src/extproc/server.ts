import { chmodSync, rmSync } from 'node:fs';
import { ShortLivedMap } from '../core/lists/short-lived-map.js';
import { FILTER_METADATA } from '../envoy/names.js';
import type { Service } from '../grpc/call.js';
import { GrpcServer } from '../grpc/server.js';
import type { TcpServerOptions } from '../grpc-js/server.js';
import type { Services } from '../pipeline/exchange/ports.js';
import { Abandoned } from './abandoned.js';
import { AccessLog } from './access-log.js';
import { AttemptStream } from './attempt-stream.js';
import { setDrainDeadline } from './drain-deadline.js';
import { Exchanges } from './exchanges.js';
import { GatewayStream } from './gateway-stream.js';
import { LongAnswers } from './long-answers.js';
import { METHODS } from './protocol.js';

/**
 * An Envoy that hangs keeps its connection open with all its requests, so the engine checks from time to time whether
 * it answers.
 */
const KEEPALIVE_MS = 20_000;

/** How many bytes a message may be longer than a request body. A body for a provider is received and sent in one message. */
const MESSAGE_OVERHEAD_BYTES = 1024 * 1024;

export interface EngineServer {
  /** The number of requests whose gateway stream is open. */
  requestsInFlight(): number;
  /** The number of requests that were dropped without a log, because thousands of clients had disconnected. */
  requestsDropped(): number;
  /** Resolves when all open streams and their exchanges have ended, which has a deadline. New ones are refused. */
  drain(): Promise<void>;
  close(): void;
}

/** A gRPC server: our own, or that of the library. */
interface CallServer {
  /** Accepts no new calls. Resolves once the running ones have ended. */
  drain(): Promise<void>;
  /** Ends all calls at once. */
  destroy(): void;
}

export interface EngineServerOptions {
  socketPath: string;
  /** Where to serve Envoys of other machines too. */
  listen?: Pick<TcpServerOptions, 'host' | 'port' | 'tls'>;
  services: Services;
  /** The route for a chain of models. */
  chainRoute: string;
  /** What waits in Envoy for engines to read it, in bytes; undefined where Envoy cannot be asked. */
  waitingInEnvoy: () => Promise<number | undefined>;
}

/**
 * Serves ext_proc and receives Envoy's access log: on a Unix socket that only this user may use, and over TCP where
 * configured.
 */
export async function startEngineServer(options: EngineServerOptions): Promise<EngineServer> {
  const { socketPath, listen, services, chainRoute } = options;
  const exchanges = new Exchanges();
  const longAnswers = new LongAnswers(options.waitingInEnvoy);
  const accessLog = new AccessLog(exchanges);
  const abandoned = new Abandoned();
  const open = new ShortLivedMap<number, GatewayStream>();
  let opened = 0;
  const process: Service = (call) => {
    const filter = call.metadata.get(FILTER_METADATA);
    if (filter === 'attempt') return new AttemptStream(call, services, exchanges, longAnswers);
    const route = filter === undefined ? undefined : chainRoute;
    const stream = new GatewayStream(call, services, exchanges, route, abandoned);
    const number = opened++;
    open.set(number, stream);
    void stream.closed.then(() => open.delete(number));
    return stream;
  };
  const common = {
    services: new Map<string, Service>([
      [METHODS.process, process],
      [METHODS.streamAccessLogs, (call) => accessLog.serve(call)],
    ]),
    keepaliveMs: KEEPALIVE_MS,
    onError: (err: unknown) => services.logger.error({ err }, 'a message from Envoy could not be processed'),
  };
  const maxMessageBytes = () => services.limits().request_body_bytes + MESSAGE_OVERHEAD_BYTES;
  rmSync(socketPath, { force: true });
  const servers: CallServer[] = [await GrpcServer.listen({ ...common, socketPath, maxMessageBytes })];
  chmodSync(socketPath, 0o600);
  if (listen !== undefined) {
    try {
      servers.push(
        await listenOverTcp({ ...common, ...listen, maxMessageBytes: maxMessageBytes() }, services),
      );
    } catch (error) {
      servers[0]!.destroy();
      throw error;
    }
  }
  const close = () => {
    for (const server of servers) server.destroy();
  };
  return {
    requestsInFlight: () => exchanges.size,
    requestsDropped: () => abandoned.dropped,
    drain: async () => {
      accessLog.close();
      const takeBack = setDrainDeadline(() => open.values(), { logger: services.logger, destroy: close });
      await Promise.all(servers.map((server) => server.drain()));
      await Promise.all(open.values().map((stream) => stream.closed));
      takeBack();
    },
    close,
  };
}

/** grpc-js is loaded only where other machines are served. */
async function listenOverTcp(
  options: Omit<TcpServerOptions, 'onCertificates'>,
  { logger }: Services,
): Promise<CallServer> {
  const { TcpServer } = await import('../grpc-js/server.js');
  return TcpServer.listen({
    ...options,
    onCertificates: (event) => {
      if (event === 'changed') logger.info({}, 'engine.listen: changed certificates are active');
      else
        logger.error(
          { reason: event.refused },
          'engine.listen: changed certificates were rejected; the old ones stay active',
        );
    },
  });
}
