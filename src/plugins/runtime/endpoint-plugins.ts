import { SluiceError } from '../../core/errors.js';
import type { Endpoint } from '../../core/settings.js';
import type { PluginHost, PreparedPlugin } from './host.js';

/**
 * The prepared plugins of each endpoint, created with its first request and kept as long as the endpoint. An endpoint
 * whose plugins can no longer be prepared serves nothing, because a missing guard must not go unnoticed.
 */
export class EndpointPlugins {
  #prepared = new WeakMap<Endpoint, readonly PreparedPlugin[]>();

  constructor(private readonly host: Pick<PluginHost, 'prepare'>) {}

  of(endpoint: Endpoint): readonly PreparedPlugin[] {
    let plugins = this.#prepared.get(endpoint);
    if (plugins === undefined) {
      plugins = this.#prepare(endpoint);
      this.#prepared.set(endpoint, plugins);
    }
    return plugins;
  }

  #prepare(endpoint: Endpoint): readonly PreparedPlugin[] {
    if (endpoint.plugins.length === 0) return [];
    const result = this.host.prepare(endpoint.plugins);
    if ('plugins' in result) return result.plugins;
    throw new SluiceError('plugin_failed', `The plugins of the endpoint "${endpoint.name}" cannot run.`, {
      cause: new Error(result.mistakes.map(({ path, message }) => `${path}: ${message}`).join('; ')),
    });
  }
}
