import type { Message } from '../../core/message.js';
import type { Choice, Notes, Plugin, Result } from './plugin.js';

/**
 * Gives a plugin's `config` a type. It returns the plugin unchanged.
 *
 * @typeParam Given what `configSchema` allows, with defaults filled in
 * @typeParam Prepared what `prepare` returns; without `prepare` the same as `Given`
 * @example
 * ```ts
 * const plugin = definePlugin({
 *   name: 'no_digits',
 *   configSchema: { type: 'object' },
 *   request: ({ messages }) =>
 *     messageTexts(messages).some(({ text }) => /\d/.test(text)) ? reject('Write no digits, please.') : pass(),
 * });
 * plugin.request({ messages: [{ role: 'user', parts: [{ type: 'text', text: 'Room 12' }] }] });
 * // => { action: 'reject', message: 'Write no digits, please.' }
 * ```
 */
export function definePlugin<Given extends object, Prepared = Given>(
  plugin: Omit<Plugin<Prepared>, 'prepare'> & { prepare?(config: Given): Prepared },
): Plugin<Prepared> {
  // The host passes what the schema has validated, which TypeScript cannot know.
  return plugin as unknown as Plugin<Prepared>;
}

/**
 * The result of `request`, `response` or `responseWindow` that ends the exchange.
 *
 * @param message what the client reads, cut after 4,000 UTF-16 units; it must not repeat what was found
 * @param more `code`, 1 to 64 characters of `A-Za-z0-9_.-` (`rejected_by_plugin` by default); `status`, from 400 to 599
 * (400 by default); and notes for the log. An invalid code or status is replaced by the default, and the rejection stays.
 * @example
 * ```ts
 * reject('Send no card numbers, please.', { code: 'card_found', status: 422 });
 * // => { action: 'reject', message: 'Send no card numbers, please.', code: 'card_found', status: 422 }
 * ```
 */
export function reject(message: string, more: { code?: string; status?: number } & Notes = {}) {
  return { action: 'reject', message, ...more } as const;
}

/**
 * The result that lets the exchange continue unchanged.
 *
 * @param notes for `plugin_runs` of the log: `findings`, `annotations`, and `debug`, which is replaced by a note where
 * its JSON is longer than 65,536 UTF-16 units
 * @example
 * ```ts
 * pass({ annotations: { language: 'en' } });
 * // => { action: 'pass', annotations: { language: 'en' } }
 * ```
 */
export function pass(notes: Notes = {}) {
  return { action: 'pass', ...notes } as const;
}

/**
 * The result that lets the exchange continue with other texts.
 *
 * @param content all messages or choices that the function was given, in their order. Only texts may differ: any other
 * difference counts as an error of the plugin.
 * @param notes for `plugin_runs` of the log, as in `pass`
 * @example
 * ```ts
 * const messages = [{ role: 'user', parts: [{ type: 'text', text: 'Hi Ann' }] }];
 * modify(mapMessageTexts(messages, (text) => text.replace('Ann', '<PERSON>')));
 * // => { action: 'modify', content: [{ role: 'user', parts: [{ type: 'text', text: 'Hi <PERSON>' }] }] }
 * ```
 */
export function modify<Content extends Message[] | Choice[]>(
  content: Content,
  notes: Notes = {},
): Result<Content> {
  return { action: 'modify', content, ...notes };
}
