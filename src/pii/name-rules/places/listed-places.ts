/** Lists of places: those that a word tells, as in `villages such as Antony, Cawsand and Rame`, and those of which most items are. */

import {
  type Gazetteer,
  LIST_CALENDAR,
  LIST_COMMON,
  LIST_NRP,
  LIST_ORGANIZATION,
  LIST_PRODUCT,
  wordKey,
} from '../../model/gazetteer.js';
import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { matchesOf } from '../../patterns/matches-of.js';
import { nameSigns } from '../name-signs.js';
import { CAPITAL } from '../told/told-rules.js';
import { withNames } from '../with-names.js';

const TOLD = 0.65;
/** The threshold that most have. */
const SURE = 0.5;
/** Where no word tells, so sure of somebody the model is believed. */
const VERY_SURE = 0.9;
/** So many places tell what the other items are. */
const FEWEST = 3;
const WORD = "\\p{Lu}[\\p{L}\\p{M}’'-]+";
const ITEM = `${WORD}(?: (?:(?:of|on|upon|de|del|la|le) )?${WORD}){0,3}`;
const LIST = lean(
  `${CAPITAL}(?<![\\p{L}\\p{M}\\p{N}@#_/&.’'-]|\\p{Lu}[\\p{L}\\p{M}]* )${ITEM}(?:(?:, ${ITEM})+,? (?:and|or) ${ITEM}|(?:, ${ITEM}){4,})(?![\\p{L}\\p{M}\\p{N}]| \\p{Lu})`,
  'gu',
);
const LIST_SIGN = /[a-z], [A-Z][^,.\n]{1,40}(?:, |,? and |,? or )[A-Z]/;
const NAME = lean(ITEM, 'gu');
const KINDS_UNITS = 60;
const KINDS = lean(
  /(?<!\p{L})(?:[Pp]laces|[Vv]illages|[Tt]owns|[Cc]ities|[Hh]amlets|[Ss]ettlements|[Ss]uburbs|[Mm]unicipalities|[Pp]arishes|[Bb]oroughs|[Ii]slands|[Nn]eighbou?rhoods|[Tt]ownships|[Cc]ounties|[Pp]rovinces|[Cc]ountries)(?: (?:in|of|on|near|around|along|within) (?:(?:the|this|that|our) )?[\p{L}’'-]+)?,?(?: such as| like| including| includes?| are| were| of|:|(?: such as| including| includes?| are| were):) $/u,
);
const HAS_KIND = nameSigns.add(
  'places|villages|towns|cities|hamlets|settlements|suburbs|municipalities|parishes|boroughs|islands|neighbou?rhoods|townships|counties|provinces|countries',
);
const THING = LIST_COMMON | LIST_CALENDAR | LIST_NRP | LIST_ORGANIZATION | LIST_PRODUCT;

/** `spans` with the other items of the lists of places in [from, to); both in order. `signs`: what `nameSigns` has there. */
export function addListedPlaces(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
  lists: Gazetteer,
  signs: number,
): readonly NameSpan[] {
  const known = spans.filter(({ type }) => type === 'LOCATION').length;
  if ((signs & HAS_KIND) === 0 && known < FEWEST) return spans;
  const piece = text.slice(from, to);
  if (!LIST_SIGN.test(piece)) return spans;
  const added: NameSpan[] = [];
  for (const { index, 0: list } of matchesOf(piece, LIST)) {
    const items = [...matchesOf(list, NAME)].map(({ index: at, 0: name }) => {
      const start = from + index + at;
      return { start, end: start + name.length };
    });
    const isTold = KINDS.test(piece.slice(Math.max(0, index - KINDS_UNITS), index));
    const others = items.filter((item) => !isPlace(item, spans));
    const places = items.length - others.length;
    if (!isTold && (places < FEWEST || places <= others.length)) continue;
    for (const item of others) {
      const there = spans.filter((span) => span.start < item.end && span.end > item.start);
      if (isTold ? there.every((span) => isWithin(span, item)) : mayBePlace(text, item, there, lists))
        added.push({ type: 'LOCATION', ...item, score: TOLD });
    }
  }
  return withNames(spans, added);
}

interface Item {
  start: number;
  end: number;
}

function isPlace({ start, end }: Item, spans: readonly NameSpan[]): boolean {
  return spans.some(
    (span) => span.type === 'LOCATION' && span.score >= SURE && span.start < end && span.end > start,
  );
}

function isWithin(span: NameSpan, { start, end }: Item): boolean {
  return span.type === 'PERSON' && span.start >= start && span.end <= end;
}

/** Nothing that is known to be something else. */
function mayBePlace(text: string, item: Item, there: readonly NameSpan[], lists: Gazetteer): boolean {
  if (!there.every((span) => span.score < VERY_SURE && isWithin(span, item))) return false;
  return text
    .slice(item.start, item.end)
    .split(' ')
    .every((word) => (lists.find(wordKey(word, 0, word.length)) & THING) === 0);
}
