import { Type } from '../../core/schema-type.js';
import { PHASES } from '../../core/settings.js';
import type { AdminServer } from '../admin-server.js';
import type { AdminDependencies } from '../dependencies.js';
import { managedByFile } from '../http/managed-by-file.js';
import { errorResponses, jsonObject, managedBy, nullable, oneOf, page } from '../schemas/common.js';
import { pageOf, pageParameters } from '../schemas/pages.js';

const pluginSchema = Type.Object({
  name: Type.String(),
  description: nullable(Type.String()),
  phases: Type.Array(oneOf(PHASES)),
  config_schema: jsonObject('JSON Schema of its configuration in an endpoint.'),
  managed_by: managedBy,
});

export function pluginRoutes(server: AdminServer, { plugins }: AdminDependencies): void {
  const tags = ['administration'];

  server.get(
    '/api/plugins',
    {
      config: { access: 'admin' },
      schema: {
        summary: 'The plugins that endpoints can use',
        tags,
        querystring: pageParameters,
        response: { 200: page(pluginSchema), ...errorResponses },
      },
    },
    async (request) => {
      const known = plugins().map(({ name, description, phases, configSchema }, order) => ({
        order,
        id: name,
        shown: {
          name,
          description: description ?? null,
          phases,
          config_schema: configSchema,
          managed_by: 'file' as const,
        },
      }));
      const { data, next_cursor } = pageOf('plugins', known, request.query);
      return { data: data.map(({ shown }) => shown), next_cursor };
    },
  );

  server.post(
    '/api/plugins',
    {
      config: { access: 'admin' },
      schema: {
        summary: 'Plugins are code: they are added in sluice.yaml, so this is always refused',
        tags,
        body: jsonObject('Not used.'),
        response: errorResponses,
      },
    },
    async () => {
      throw managedByFile('list of plugins');
    },
  );
}
