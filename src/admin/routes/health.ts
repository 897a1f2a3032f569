import { Type } from '../../core/schema-type.js';
import type { AdminServer } from '../admin-server.js';
import type { AdminDependencies, HealthReport } from '../dependencies.js';
import { errorResponses, oneOf } from '../schemas/common.js';

const healthSchema = Type.Object({
  status: oneOf(['ready', 'degraded', 'starting']),
  parts: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string', enum: ['ready', 'degraded', 'starting'] },
    description: 'Each part with its state.',
  }),
  details: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'More about parts that are not ready.',
    }),
  ),
});

const PLAIN = 'text/plain; version=0.0.4; charset=utf-8';
/** Of the two formats only OpenMetrics has exemplars. */
const OPEN_METRICS = 'application/openmetrics-text; version=1.0.0; charset=utf-8';

export function healthRoutes(
  server: AdminServer,
  { health, metricsText }: Pick<AdminDependencies, 'health' | 'metricsText'>,
): void {
  server.get(
    '/healthz/live',
    {
      config: { access: 'public', rateLimit: false },
      schema: {
        summary: 'Whether the process runs',
        tags: ['operation'],
        response: { 200: Type.Object({ status: oneOf(['live']) }) },
      },
    },
    async () => ({ status: 'live' as const }),
  );

  server.get(
    '/healthz/ready',
    {
      config: { access: 'public', rateLimit: false },
      schema: {
        summary: 'Whether requests can be served',
        tags: ['operation'],
        response: { 200: healthSchema, 503: healthSchema },
      },
    },
    async (_request, reply) => {
      const report = await health();
      const { ready, ...rest } = report;
      return reply.code(ready ? 200 : 503).send({ status: statusOf(report), ...rest });
    },
  );

  if (metricsText === undefined) return;
  server.get(
    '/metrics',
    {
      config: { access: 'public', rateLimit: false },
      schema: {
        summary: 'Metrics for Prometheus',
        tags: ['operation'],
        response: {
          200: {
            description: 'As text, or as OpenMetrics where the call accepts that.',
            content: {
              'text/plain': { schema: Type.String() },
              'application/openmetrics-text': { schema: Type.String() },
            },
          },
          ...errorResponses,
        },
      },
    },
    async (request, reply) => {
      const openMetrics = request.headers.accept?.includes('application/openmetrics-text') === true;
      reply.type(openMetrics ? OPEN_METRICS : PLAIN).serializer((text: unknown) => String(text));
      return reply.send(await metricsText(openMetrics));
    },
  );
}

function statusOf({ ready, parts }: HealthReport): 'ready' | 'degraded' | 'starting' {
  if (!ready) return 'starting';
  return Object.values(parts).every((state) => state === 'ready') ? 'ready' : 'degraded';
}
