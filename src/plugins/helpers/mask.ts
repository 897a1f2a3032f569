import type { Choice } from '../../core/answer.js';
import type { PluginFinding } from '../../core/log-record.js';
import type { Message } from '../../core/message.js';
import { atOnce } from '../../core/pacing/steps.js';
import { maskSpansInSteps, type Span } from './mask-spans.js';
import { maskTextsInSteps } from './texts-in-steps.js';

/**
 * The messages with findings replaced by `<TYPE>`. Unchanged parts are shared with the original.
 *
 * @param findings `place` is a JSON pointer into `messages` (RFC 6901), as `messageTexts` gives it; findings with another
 * place are ignored. `start` and `end` are offsets in UTF-16 units. Overlapping findings become one, named after the first.
 * @example
 * ```ts
 * const messages = [{ role: 'user', parts: [{ type: 'text', text: 'Hi Ann' }] }];
 * maskMessages(messages, [{ type: 'PERSON', place: '/0/parts/0/text', start: 3, end: 6, score: 1 }]);
 * // => [{ role: 'user', parts: [{ type: 'text', text: 'Hi <PERSON>' }] }]
 * ```
 */
export function maskMessages(messages: readonly Message[], findings: readonly PluginFinding[]): Message[] {
  return atOnce(maskTextsInSteps(messages, findings));
}

/**
 * The choices of an answer with findings replaced by `<TYPE>`; otherwise as `maskMessages`.
 *
 * @param findings `place` is a JSON pointer into `choices`, as `choiceTexts` gives it
 * @example
 * ```ts
 * const choices = [{ index: 0, parts: [{ type: 'text', text: 'Ask Ann' }], finishReason: 'stop' }];
 * maskChoices(choices, [{ type: 'PERSON', place: '/0/parts/0/text', start: 4, end: 7, score: 1 }]);
 * // => [{ index: 0, parts: [{ type: 'text', text: 'Ask <PERSON>' }], finishReason: 'stop' }]
 * ```
 */
export function maskChoices(choices: readonly Choice[], findings: readonly PluginFinding[]): Choice[] {
  return atOnce(maskTextsInSteps(choices, findings));
}

/**
 * A text with spans replaced by `<TYPE>`. Overlapping spans become one, named after the first. A span inside a number of
 * JSON replaces the whole number by a string, so that the text stays JSON.
 *
 * @param spans in any order; offsets in UTF-16 units, ends exclusive
 * @example
 * ```ts
 * maskSpans('Ann pays', [{ start: 0, end: 3, type: 'PERSON' }]);
 * // => '<PERSON> pays'
 * maskSpans('{"id": 4711}', [{ start: 7, end: 11, type: 'NUMBER' }]);
 * // => '{"id": "<NUMBER>"}'
 * ```
 */
export function maskSpans(text: string, spans: readonly Span[]): string {
  return atOnce(maskSpansInSteps(text, spans));
}
