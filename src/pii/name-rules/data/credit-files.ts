/** The lines of a file that lists its authors, also in a patch: `+++ b/CONTRIBUTORS`, and a name in each line below. */

import { type Gazetteer, LIST_FREQUENT_FIRST_NAME, wordKey } from '../../model/gazetteer.js';
import { lean } from '../../patterns/lean.js';
import { isNoThing } from '../listed-names.js';
import type { FieldName } from './field-names.js';
import { allOf } from './stretches.js';
import { withoutParticles } from './values.js';

const TOLD = 0.8;
const HEAD =
  /(?<![\w-])(?:CONTRIBUTORS|AUTHORS|MAINTAINERS|CREDITS|THANKS|CODEOWNERS)(?:\.(?:md|txt|rst))?:?[ \t]*\n/g;
const SIGN = /[A-Z](?<=RS|TS|KS)(?:\.\w{2,3})?:?[ \t]*\n/;
/** What stands between the head and the names in a patch or below a heading. */
const BETWEEN =
  /(?:[ \t]*|index [\da-f]{4,40}\.\.[^\n]{0,60}|(?:new|deleted) file mode \d+|@@ [^\n]{0,80}|(?:\+\+\+|---) [^\n]{0,200}|[=~-]{3,80})(?:\n|$)/y;
const WORD = "\\p{Lu}[\\p{L}\\p{M}'’.-]{0,40}";
const LINE = lean(
  `[ +-]?[ \\t]{0,4}(?:[-*•] )?(?<name>${WORD}(?: (?:(?:de|da|di|van|von|der|den|la|el|al|bin) ){0,2}${WORD}){1,3})(?:,? [<(][^>)\\n]{0,80}[>)])?[ \\t]{0,8}(?:\\n|$)`,
  'uy',
);
const LINES_AT_ONCE = 64;

/** `Lucy Harrow`: a surname may be a town's. */
function isFullName(name: string, lists: Gazetteer): boolean {
  const [first = '', ...others] = name.split(' ');
  return others.length > 0 && (lists.find(wordKey(first, 0, first.length)) & LIST_FREQUENT_FIRST_NAME) !== 0;
}

/** In order. No line is read twice, though each can be the head of those below. */
export function* creditFiles(text: string, lists: Gazetteer): Generator<void, FieldName[]> {
  const found: FieldName[] = [];
  let at = 0;
  let lines = 0;
  for (const { end } of yield* allOf(HEAD, text, SIGN)) {
    if (end <= at) continue;
    for (at = end; at < text.length; ) {
      if (++lines % LINES_AT_ONCE === 0) yield;
      LINE.lastIndex = BETWEEN.lastIndex = at;
      const line = LINE.exec(text);
      if (line === null) {
        if (!BETWEEN.test(text)) break;
        at = BETWEEN.lastIndex;
        continue;
      }
      const name = line.groups!.name!;
      const start = at + line[0].indexOf(name);
      if (isNoThing(withoutParticles(name), lists) || isFullName(name, lists))
        found.push({ type: 'PERSON', start, end: start + name.length, score: TOLD });
      at += line[0].length;
    }
  }
  return found;
}
