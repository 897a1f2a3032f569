import type { Message } from '../../core/message.js';
import type { Choice, Notes, Plugin, Result } from './plugin.js';

/**
 * A plugin whose `config` has a type: `Given` is what its `configSchema` lets an operator write, defaults filled in, and
 * `Prepared` what `prepare` makes of it, the same where there is no `prepare`.
 */
export function definePlugin<Given extends object, Prepared = Given>(
  plugin: Omit<Plugin<Prepared>, 'prepare'> & { prepare?(config: Given): Prepared },
): Plugin<Prepared> {
  // The host hands over what the schema has checked and filled in, which `Given` says to TypeScript.
  return plugin as unknown as Plugin<Prepared>;
}

/** The client gets this message. `code` and `status` default to `rejected_by_plugin` and 400. */
export function reject(message: string, more: { code?: string; status?: number } & Notes = {}) {
  return { action: 'reject', message, ...more } as const;
}

/** The exchange goes on as it was. */
export function pass(notes: Notes = {}) {
  return { action: 'pass', ...notes } as const;
}

/** The exchange goes on with this content: all of it, of which texts may differ. */
export function modify<Content extends Message[] | Choice[]>(
  content: Content,
  notes: Notes = {},
): Result<Content> {
  return { action: 'modify', content, ...notes };
}
