import { Type } from '../../core/schema-type.js';
import { PROVIDER_APIS } from '../../core/settings.js';
import type { AdminServer } from '../admin-server.js';
import type { AdminDependencies } from '../dependencies.js';
import { errorResponses, list, oneOf } from '../schemas/common.js';

const providerSchema = Type.Object({
  name: Type.String({ description: 'What an endpoint calls it.' }),
  api: oneOf(PROVIDER_APIS),
  base_url: Type.String({ description: 'Where it is.' }),
  models: Type.Array(Type.String(), {
    description: 'Models that sluice.yaml has prices of, or that an endpoint names. There may be others.',
  }),
});

export function providerRoutes(
  server: AdminServer,
  { providers, directory }: Pick<AdminDependencies, 'providers' | 'directory'>,
): void {
  server.get(
    '/api/providers',
    {
      config: { access: 'admin' },
      schema: {
        summary: 'The providers that endpoints can use, without credentials',
        tags: ['administration'],
        response: { 200: list(providerSchema), ...errorResponses },
      },
    },
    async () => {
      const choices = directory
        .projects()
        .flatMap(({ endpoints }) => [...endpoints.values()].flatMap(({ models }) => models));
      const data = providers().map(({ name, api, base_url, models }) => {
        const used = choices.flatMap((choice) => (choice.provider === name ? [choice.model] : []));
        return { name, api, base_url, models: [...new Set([...models, ...used])].sort() };
      });
      return { data, next_cursor: null };
    },
  );
}
