import { Type } from '../../core/schema-type.js';
import type { AdminServer } from '../admin-server.js';
import type { AdminDependencies } from '../dependencies.js';
import { errorResponses, nullable } from '../schemas/common.js';

export function dashboardRoutes(server: AdminServer, { dashboard }: AdminDependencies): void {
  server.get(
    '/api/dashboard',
    {
      config: { access: 'session' },
      schema: {
        summary: 'What the dashboard needs to know of the configuration',
        tags: ['session'],
        response: {
          200: Type.Object({
            trace_url: nullable(
              Type.String({
                description: 'Where a trace is seen, with `{trace_id}` in the place of its id.',
              }),
            ),
          }),
          ...errorResponses,
        },
      },
    },
    async () => ({ trace_url: dashboard().trace_url ?? null }),
  );
}
