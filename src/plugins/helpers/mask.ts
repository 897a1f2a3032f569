import type { Choice } from '../../core/answer.js';
import type { PluginFinding } from '../../core/log-record.js';
import type { Message } from '../../core/message.js';
import { atOnce } from '../../core/pacing/steps.js';
import { maskSpansInSteps, type Span } from './mask-spans.js';
import { maskTextsInSteps } from './texts-in-steps.js';

/** Replaces findings by `<ENTITY_TYPE>`. Places are JSON pointers into `messages`; others are ignored. */
export function maskMessages(messages: readonly Message[], findings: readonly PluginFinding[]): Message[] {
  return atOnce(maskTextsInSteps(messages, findings));
}

/** The same for an answer; places are JSON pointers into `choices`. */
export function maskChoices(choices: readonly Choice[], findings: readonly PluginFinding[]): Choice[] {
  return atOnce(maskTextsInSteps(choices, findings));
}

/** Replaces the spans of a text by `<TYPE>`. Overlapping spans become one, named after the first. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  return atOnce(maskSpansInSteps(text, spans));
}
