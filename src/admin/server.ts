import helmet from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { SluiceError } from '../core/errors.js';
import { declareAccess } from './access/access.js';
import { createCallers } from './access/callers.js';
import { serveDashboard } from './dashboard/serve-dashboard.js';
import type { AdminDependencies } from './dependencies.js';
import { answerBrokenPath, answerBrokenRequest } from './http/broken-requests.js';
import { boundConnections } from './http/connections.js';
import { createErrorHandler, errorBody } from './http/errors.js';
import { readJsonBodies } from './http/json-bodies.js';
import { giveLogId } from './http/log-id-header.js';
import { answerPages } from './http/pages.js';
import { limitRate } from './http/rate-limit.js';
import { requestTimeouts } from './http/timeouts.js';
import { compileValidator, prepareValidators } from './http/validation.js';
import { describeApi, serveApiDescription } from './openapi.js';
import { apiKeyRoutes } from './routes/administration/api-keys.js';
import { endpointRoutes } from './routes/administration/endpoints.js';
import { projectRoutes } from './routes/administration/projects.js';
import { auditRoutes } from './routes/audit.js';
import { dashboardRoutes } from './routes/dashboard.js';
import { directoryRoutes } from './routes/directory.js';
import { engineLogRoutes } from './routes/engine-logs.js';
import { guardRoutes } from './routes/guard.js';
import { healthRoutes } from './routes/health.js';
import { agreementRoutes } from './routes/judging/agreement.js';
import { judgingRoutes } from './routes/judging/definitions.js';
import { judgementRoutes } from './routes/judging/judgements.js';
import { bulkRoutes } from './routes/logs/bulk.js';
import { eventRoutes } from './routes/logs/events.js';
import { exportRoutes } from './routes/logs/exports.js';
import { feedbackRoutes } from './routes/logs/feedback.js';
import { logRoutes } from './routes/logs/log.js';
import { logCountRoutes } from './routes/logs/log-count.js';
import { logListRoutes } from './routes/logs/logs.js';
import { pairRoutes } from './routes/logs/pairs.js';
import { piiMarkRoutes } from './routes/logs/pii-marks.js';
import { queueRoutes } from './routes/logs/queue.js';
import { statRoutes } from './routes/logs/stats.js';
import { tagRoutes } from './routes/logs/tags.js';
import { playgroundRoutes } from './routes/playground.js';
import { pluginRoutes } from './routes/plugins.js';
import { providerRoutes } from './routes/providers.js';
import { sessionRoutes } from './routes/session.js';
import { spendRoutes } from './routes/spend.js';

const BODY_LIMIT_BYTES = 4 * 1024 * 1024;

const END_CHECK_MS = 100;

/** The routes, a file for each resource. */
const ROUTES = [
  feedbackRoutes,
  logRoutes,
  logListRoutes,
  eventRoutes,
  queueRoutes,
  judgingRoutes,
  judgementRoutes,
  piiMarkRoutes,
  agreementRoutes,
  bulkRoutes,
  tagRoutes,
  statRoutes,
  spendRoutes,
  exportRoutes,
  sessionRoutes,
  projectRoutes,
  apiKeyRoutes,
  endpointRoutes,
  pluginRoutes,
  providerRoutes,
  guardRoutes,
  auditRoutes,
  directoryRoutes,
  engineLogRoutes,
  healthRoutes,
  logCountRoutes,
  pairRoutes,
  playgroundRoutes,
  dashboardRoutes,
];

/** Envoy routes gRPC calls from all paths to here, because its own error answers to gRPC have status 200. */
async function refuseGrpc(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const type = request.headers['content-type'] ?? '';
  if (!type.startsWith('application/grpc')) return;
  giveLogId(reply);
  throw new SluiceError(
    'unsupported_media_type',
    `The body must be JSON; content-type ${type} is not served.`,
  );
}

/** Answers can contain prompts and keys, which a browser must not show again after sign-out. */
async function keepOutOfCaches(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.header('cache-control', 'no-store');
}

/**
 * While the service shuts down, connections are closed as soon as they are idle. A connection without any call yet,
 * which browsers open in advance, would otherwise keep it running for more than a minute.
 */
function closeConnectionsAtEnd(service: Pick<FastifyInstance, 'server' | 'addHook'>): void {
  const calls = new Set<object>();
  service.addHook('onRequest', async (_request, reply) => {
    calls.add(reply.raw);
    reply.raw.once('close', () => calls.delete(reply.raw));
  });
  service.addHook('preClose', async () => {
    const timer = setInterval(() => {
      if (calls.size === 0) service.server.closeAllConnections();
    }, END_CHECK_MS).unref();
    service.server.once('close', () => clearInterval(timer));
  });
}

/** Fastify would load thirty modules for its own compilers, although the service sets others. This stands in their place. */
function notNeeded(): never {
  throw new Error('The admin service sets its own compilers.');
}

/** The admin service, ready to listen. */
export async function createAdminServer(dependencies: AdminDependencies): Promise<FastifyInstance> {
  const timeouts = requestTimeouts(dependencies.requestTimeoutMs);
  const server = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT_BYTES,
    ...timeouts,
    trustProxy: dependencies.trustedProxies === undefined ? false : [...dependencies.trustedProxies],
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: 512, ignoreTrailingSlash: true },
    // A cursor can contain a tag, and a tag can be as long as metadata.
    http: { maxHeaderSize: 128 * 1024, ...timeouts.http },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: answerBrokenPath,
    schemaController: { compilersFactory: { buildValidator: notNeeded, buildSerializer: notNeeded } },
  }).withTypeProvider<TypeBoxTypeProvider>();

  closeConnectionsAtEnd(server);
  boundConnections(server.server);
  const callers = createCallers(dependencies.directory, dependencies.store.sessions, dependencies.engineFeed);
  readJsonBodies(server, dependencies.limits);
  prepareValidators();
  server.setValidatorCompiler(compileValidator);
  // Answers are not filtered by their schemas. Tests check that they match.
  server.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  server.setErrorHandler(createErrorHandler(dependencies.logger, dependencies.clock));
  server.addHook('onRequest', keepOutOfCaches);
  server.addHook('onRequest', answerPages(dependencies.directory));
  server.addHook('onRequest', refuseGrpc);
  server.setNotFoundHandler(async (request, reply) => {
    const error = new SluiceError('not_found', `There is no ${request.method} ${request.url.split('?')[0]}.`);
    return reply.code(error.status).send(errorBody(error));
  });
  await server.register(helmet);
  await server.register(rateLimit, limitRate(dependencies, callers));
  // This comes before the hooks of the routes, so that calls with a refused key count too.
  server.addHook('onRequest', server.rateLimit());
  declareAccess(server, callers);
  await describeApi(server);
  for (const routes of ROUTES) routes(server, { ...dependencies, callers });
  await serveApiDescription(server);
  await serveDashboard(server);
  // The type provider matters only for routes.
  return server as unknown as FastifyInstance;
}
