import { call } from '../api/client.ts';
import type { JsonSchema } from './schema.ts';

interface Description {
  paths: Record<
    string,
    Record<string, { requestBody?: { content: Record<string, { schema: JsonSchema }> } }>
  >;
}

export interface EndpointForms {
  endpoint: JsonSchema;
  /** The schemas of plugin configurations, by the plugin's name. */
  plugins: Map<string, JsonSchema>;
  /** The known models of each provider. */
  providers: Map<string, string[]>;
}

/** The schemas for the forms of endpoints. The server checks endpoints with the same ones. */
export async function readEndpointForms(signal: AbortSignal): Promise<EndpointForms> {
  const [response, plugins, providers] = await Promise.all([
    fetch('/openapi.json', { signal }),
    call('GET /api/plugins', { signal }),
    call('GET /api/providers', { signal }),
  ]);
  const { paths } = (await response.json()) as Description;
  const body = paths['/api/projects/{uid}/endpoints']?.post?.requestBody?.content['application/json'];
  if (body === undefined) throw new Error('The description of the API has no endpoints.');
  return {
    endpoint: body.schema,
    plugins: new Map(plugins.data.map(({ name, config_schema }) => [name, config_schema as JsonSchema])),
    providers: new Map(providers.data.map(({ name, models }) => [name, models])),
  };
}

/**
 * The schema for a place in an endpoint. The `config` of a plugin has the schema of the chosen plugin, and the name
 * of a model suggests those of the chosen provider.
 */
export function schemaChooser({ plugins, providers }: EndpointForms, endpoint: Record<string, unknown>) {
  return (path: string, schema: JsonSchema): JsonSchema => {
    const choice = /^models\.(\d+)\.(provider|model)$/.exec(path);
    if (choice?.[2] === 'provider') return { ...schema, enum: [...providers.keys()] };
    if (choice !== null) {
      const provider = (endpoint.models as { provider?: string }[] | undefined)?.[Number(choice[1])]
        ?.provider;
      return { ...schema, suggestions: providers.get(provider ?? '') ?? [] };
    }
    const entry = /^plugins\.(\d+)\.(plugin|config)$/.exec(path);
    if (entry === null) return schema;
    if (entry[2] === 'plugin') return { ...schema, enum: [...plugins.keys()] };
    const chosen = (endpoint.plugins as { plugin?: string }[] | undefined)?.[Number(entry[1])]?.plugin;
    const config = chosen === undefined ? undefined : plugins.get(chosen);
    return config === undefined ? schema : { description: schema.description, ...config };
  };
}
