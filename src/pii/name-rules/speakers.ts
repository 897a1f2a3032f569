/** Who speaks in a chat that somebody wrote down: `nimmi: cant` below `bartek: u coming?`. No list need have the name. */

import {
  type Gazetteer,
  LIST_CALENDAR,
  LIST_COMMON,
  LIST_NRP,
  LIST_ORGANIZATION,
  LIST_PRODUCT,
  LIST_REGION,
  LIST_STREET,
  LIST_TITLE,
  wordKey,
} from '../model/gazetteer.js';
import type { NameSpan } from '../name-span.js';
import { lean } from '../patterns/lean.js';
import { matchesOf } from '../patterns/matches-of.js';
import { withNames } from './with-names.js';
import { isCapitalAt } from './words-beside.js';

const TOLD = 0.6;
const SURE = 0.5;
/** Such a line, behind another one: of texts, most have none. */
const SIGN = /\n[^\n:.,;]{2,14}: \S/;
const LABEL = lean(/(?<=^|\n)(?<name>\p{L}[\p{Ll}\p{M}]{2,13})(?=: \S)/gu);
/** What else stands before a colon. */
const NOBODY =
  /^(?:notes?|edit|ps|update|subject|from|to|cc|bcc|re|fwd|date|user|assistant|system|bot|agent|customer|client|admin|support|host|guest|caller|operator|me|you|them|human|model|tool|question|answer|input|output|summary|title|name|todo|fix|feat|chore|docs|test|refactor|error|warning|info|debug)$/iu;
const THINGS =
  LIST_COMMON |
  LIST_CALENDAR |
  LIST_NRP |
  LIST_ORGANIZATION |
  LIST_PRODUCT |
  LIST_REGION |
  LIST_STREET |
  LIST_TITLE;

/** `spans` with those in [from, to) who speak as somebody of them does; both in order. */
export function addSpeakers(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
): readonly NameSpan[] {
  if (!spans.some(({ type, end }) => type === 'PERSON' && text.startsWith(': ', end))) return spans;
  const piece = text.slice(from, to);
  if (!SIGN.test(piece)) return spans;
  const labels = [...matchesOf(piece, LABEL)].map(({ index, 0: name }) => ({
    name,
    start: from + index,
    end: from + index + name.length,
  }));
  const isSpeaker = (one: NameSpan) =>
    one.type === 'PERSON' &&
    one.score >= SURE &&
    labels.some(({ start, end }) => start === one.start && end === one.end);
  const known = spans.find(isSpeaker);
  if (known === undefined) return spans;
  const hasCapital = isCapitalAt(text, known.start);
  const added = labels
    .filter(({ name, start }) => isCapitalAt(text, start) === hasCapital && mayBeCalled(name, lists))
    .filter(({ start, end }) => !spans.some((one) => one.start < end && one.end > start))
    .map(({ start, end }): NameSpan => ({ type: 'PERSON', start, end, score: TOLD }));
  return withNames(spans, added);
}

function mayBeCalled(name: string, lists: Gazetteer): boolean {
  return !NOBODY.test(name) && (lists.find(wordKey(name, 0, name.length)) & THINGS) === 0;
}
