import type { Choice } from '../../core/answer.js';
import type { PluginFinding } from '../../core/log-record.js';
import type { Message } from '../../core/message.js';
import type { TextChange } from '../../core/part-texts.js';
import { groupByPlace, mapChoiceTexts, mapMessageTexts } from './texts.js';

/** What was found, replaced by `<ENTITY_TYPE>`. Places are pointers into `messages`; what points elsewhere is left out. */
export function maskMessages(messages: readonly Message[], findings: readonly PluginFinding[]): Message[] {
  return mapMessageTexts(messages, changeAt(findings));
}

/** The same for an answer; places are pointers into `choices`. */
export function maskChoices(choices: readonly Choice[], findings: readonly PluginFinding[]): Choice[] {
  return mapChoiceTexts(choices, changeAt(findings));
}

export interface Span {
  start: number;
  end: number;
  type: string;
}

/** The spans of a text as `<TYPE>`. Spans that overlap become one, named after the first. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  let masked = '';
  let at = 0;
  for (const span of joinOverlaps(spans)) {
    masked += `${text.slice(at, span.start)}<${span.type}>`;
    at = span.end;
  }
  return masked + text.slice(at);
}

export function joinOverlaps(spans: readonly Span[]): Span[] {
  const joined: Span[] = [];
  for (const span of inOrder(spans)) {
    const last = joined.at(-1);
    if (last !== undefined && span.start < last.end) last.end = Math.max(last.end, span.end);
    else joined.push({ start: span.start, end: span.end, type: span.type });
  }
  return joined;
}

function inOrder(spans: readonly Span[]): readonly Span[] {
  const isBehind = (span: Span, at: number) => {
    const before = spans[at - 1];
    return (
      before === undefined ||
      before.start < span.start ||
      (before.start === span.start && before.end >= span.end)
    );
  };
  return spans.every(isBehind) ? spans : [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
}

/** What the findings are replaced by, by place. */
export function changeAt(findings: readonly PluginFinding[]): TextChange {
  const byPlace = groupByPlace(findings);
  return (text, place) => {
    const spans = byPlace.get(place);
    return spans === undefined ? text : maskSpans(text, spans);
  };
}
