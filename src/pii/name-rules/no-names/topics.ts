/** What headings are about: `## Benchmark`. */

import { CLASS_NEWLINE, CLASS_SPACE, charClass } from '../../model/characters.js';
import {
  type Gazetteer,
  LIST_COMMON,
  LIST_FREQUENT_FIRST_NAME,
  LIST_LARGE_CITY,
  LIST_REGION,
  wordKey,
} from '../../model/gazetteer.js';
import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { isFullName } from '../data/values.js';

/** Before somebody, in a heading or a comment that looks like one. */
const BEFORE_SOMEBODY = lean(
  /(?<!\p{L})(?:by|author|authors|maintainers?|owner|contact|ask|tell|call|cc|thanks to|thank you|courtesy of|credits? to|kudos to):? $|(?:todo|fixme|xxx|hack|note)\($/iu,
);
/** And who did it, in other languages: `# gemeldet von`. */
const BY_SOMEBODY = lean(/(?<!\p{L})(?:von|durch|par|por|da|door|przez|\p{Ll}{4,}ła?) $/u);
/** What nobody else does. */
const SPEAKS = lean(
  /^ (?:wants|wanted|asked|asks|says|said|thinks|thought|told|owns|reported|wrote|promised|prefers|insists|suggested)(?!\p{L})/u,
);
/** Before a whole name: `# agreed with Prakash Iyengar`. */
const WITH_SOMEBODY = lean(/(?<!\p{L})(?:with|as|than|from|for|per|like) $/u);
/** `# kontakt: …, Dorpsstraat 3`: no heading has an address behind a colon. */
const ADDRESS = lean(/\p{L} \d/u);
const LABEL = lean(/\p{L} ?: [^\n]*$/u);
/** The beginning of a heading of Markdown. */
const HEADING = /(?:^|\n)#{1,6} [^\n]*$/;
/** The rest of a heading with a line below it. */
const UNDERLINED = /^[^\n]{0,30}\n(?:={3,}|-{3,}|~{3,}) *(?:\n|$)/;
const LINE_UNITS = 80;
const HASH = 0x23;

function isMarked(unit: number): boolean {
  const kind = charClass[unit];
  return unit === HASH || kind === CLASS_SPACE || kind === CLASS_NEWLINE;
}

/** What a heading is about (`## Benchmark`), unless the lists know the name well. */
export function isTopic(
  text: string,
  { type, start, end }: NameSpan,
  found: string,
  lists: Gazetteer,
): boolean {
  // The marks of a heading can be taken for a part of the name.
  const first = start + (isMarked(text.charCodeAt(start)) ? /^[#\s]*/.exec(found)![0].length : 0);
  const before = text.slice(Math.max(0, first - LINE_UNITS), first);
  const isHeading =
    (before.includes('#') && HEADING.test(before)) ||
    ((before === '' || before.endsWith('\n')) && UNDERLINED.test(text.slice(end, end + LINE_UNITS)));
  if (
    !isHeading ||
    BEFORE_SOMEBODY.test(before) ||
    (type === 'LOCATION' && ADDRESS.test(text.slice(first, end)) && LABEL.test(before)) ||
    (type === 'PERSON' &&
      (SPEAKS.test(text.slice(end, end + 12)) ||
        BY_SOMEBODY.test(before) ||
        (WITH_SOMEBODY.test(before) && isFullName(text.slice(first, end), lists))))
  )
    return false;
  const known = type === 'PERSON' ? LIST_FREQUENT_FIRST_NAME : LIST_LARGE_CITY | LIST_REGION;
  return !text
    .slice(first, end)
    .split(' ')
    .some((word) => {
      const flags = lists.find(wordKey(word, 0, word.length));
      return (flags & known) !== 0 && (flags & LIST_COMMON) === 0;
    });
}
