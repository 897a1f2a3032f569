import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyInstance } from 'fastify';
import { SluiceError } from '../core/errors.js';
import type { AdminDependencies } from './dependencies.js';
import { answerBrokenRequest } from './http/broken-requests.js';
import { boundConnections } from './http/connections.js';
import { createErrorHandler, errorBody } from './http/errors.js';
import { requestTimeouts } from './http/timeouts.js';
import { healthRoutes } from './routes/health.js';

/** Serves only health and metrics, for an engine whose admin service runs elsewhere. Needs no key and accepts no body. */
export function createHealthServer(
  dependencies: Pick<AdminDependencies, 'health' | 'metricsText' | 'logger' | 'clock' | 'requestTimeoutMs'>,
): FastifyInstance {
  const server = Fastify({
    logger: false,
    bodyLimit: 1,
    ...requestTimeouts(dependencies.requestTimeoutMs),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: answerBrokenRequest,
  }).withTypeProvider<TypeBoxTypeProvider>();
  boundConnections(server.server);
  server.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  server.setErrorHandler(createErrorHandler(dependencies.logger, dependencies.clock));
  server.setNotFoundHandler(async (_request, reply) => {
    const error = new SluiceError(
      'not_found',
      'This process is an engine only. The admin API runs in another process.',
    );
    return reply.code(error.status).send(errorBody(error));
  });
  healthRoutes(server, dependencies);
  // The type provider matters only for routes.
  return server as unknown as FastifyInstance;
}
