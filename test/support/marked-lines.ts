/** Lines with what should be found in them: spans stand as `[TYPE:text]`; `language>` begins a line that is not English. */
import { createDetector } from '../../src/pii/index.js';

export interface Gold {
  type: string;
  start: number;
  /** The text, or the two that are both right. */
  texts: string[];
}

/** A line with its spans marked, as the text and what should be found. */
export function parseMarked(marked: string): { text: string; language: string; gold: Gold[] } {
  const [, language = 'en', line = ''] = /^(?:([a-z]{2})>)?([\s\S]*)$/.exec(marked)!;
  const gold: Gold[] = [];
  let text = '';
  let at = 0;
  for (const match of line.matchAll(/\[([A-Z_]+):((?:[^[\]]|\[\w+\])+)\]/g)) {
    text += line.slice(at, match.index);
    const texts = match[2]!.split('|');
    gold.push({ type: match[1]!, start: text.length, texts });
    text += texts[0];
    at = match.index + match[0].length;
  }
  return { text: text + line.slice(at), language, gold };
}

/** More than half of both in common. */
function areAlike(gold: Gold, start: number, end: number): boolean {
  return gold.texts.some((one) => {
    const from = gold.start + gold.texts[0]!.indexOf(one);
    const common = Math.min(end, from + one.length) - Math.max(start, from);
    return common * 2 >= Math.max(end, from + one.length) - Math.min(start, from);
  });
}

/** What a detector misses, and finds falsely, in marked lines. */
export function scoreMarked(lines: readonly string[]) {
  const missed: string[] = [];
  const wrong: string[] = [];
  let count = 0;
  for (const { text, language, gold } of lines.map(parseMarked)) {
    const found = createDetector({ language }).detectSync(text);
    const isMatch = (one: Gold, f: (typeof found)[number]) =>
      f.entityType === one.type && areAlike(one, f.start, f.end);
    count += gold.length;
    for (const one of gold)
      if (!found.some((f) => isMatch(one, f))) missed.push(`${one.type} ${one.texts[0]}`);
    for (const f of found)
      if (!gold.some((one) => isMatch(one, f))) wrong.push(`${f.entityType} ${text.slice(f.start, f.end)}`);
  }
  return { count, missed, wrong };
}
