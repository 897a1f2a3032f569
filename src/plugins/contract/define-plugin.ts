import type { Message } from '../../core/message.js';
import type { Choice, Notes, Plugin, Result } from './plugin.js';

/**
 * Gives a plugin's `config` a type. `Given` is what its `configSchema` allows, with defaults filled in; `Prepared` is
 * what `prepare` returns, or `Given` without `prepare`.
 */
export function definePlugin<Given extends object, Prepared = Given>(
  plugin: Omit<Plugin<Prepared>, 'prepare'> & { prepare?(config: Given): Prepared },
): Plugin<Prepared> {
  // The host passes what the schema has validated, which TypeScript cannot know.
  return plugin as unknown as Plugin<Prepared>;
}

/** Rejects. The client gets this message; `code` and `status` default to `rejected_by_plugin` and 400. */
export function reject(message: string, more: { code?: string; status?: number } & Notes = {}) {
  return { action: 'reject', message, ...more } as const;
}

/** The exchange continues unchanged. */
export function pass(notes: Notes = {}) {
  return { action: 'pass', ...notes } as const;
}

/** The exchange continues with this content. It must be complete; only texts may differ. */
export function modify<Content extends Message[] | Choice[]>(
  content: Content,
  notes: Notes = {},
): Result<Content> {
  return { action: 'modify', content, ...notes };
}
