/**
 * Addresses in Cyrillic and Greek letters: the word for a street, its name, the house number and what else belongs to
 * the address.
 */

import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { matchesOf } from '../../patterns/matches-of.js';

const SCORE = 0.9;
const BEFORE =
  '(?:[Уу]лица|[Уу]л\\.|[Пп]роспект|[Пп]росп\\.|[Пп]р-т|[Пп]р\\.|[Бб]ульвар|[Бб]улевард|[Бб]ул\\.|[Бб]-р|[Пп]лоща[дт]ь?|[Пп]л\\.|[Пп]ереулок|[Пп]ер\\.|[Пп]ровулок|[Шш]оссе|[Нн]абережная|[Нн]аб\\.|[Пп]роезд|[Вв]улиця|[Вв]ул\\.|[Жж]\\.?к\\.?|[Οο]δός|[Λλ]εωφόρος|[Λλ]εωφ\\.|[Ππ]λατεία|[Ππ]λ\\.)';
const BEHIND =
  '(?:улица|проспект|бульвар|вулиця|шоссе|проезд|переулок|набережная|площадь|трг)(?![\\p{L}\\p{M}])';
const WORD = "\\p{Lu}[\\p{L}\\p{M}'’.-]*";
const STREET = `(?:${BEFORE} ?(?:\\d{1,2}(?:-[а-я]{1,2})? )?${WORD}(?: ${WORD}){0,2}|\\p{Lu}[\\p{L}\\p{M}-]+ ${BEHIND})`;
const HOUSE =
  ',? ?(?:№ ?|д\\. ?|дом |буд\\. ?|αρ\\. ?)?\\d{1,4}(?:[-/]\\d{1,4})?[а-яα-ω]?(?!\\p{L})(?:, ?(?:корп?\\.|стр\\.|кв\\.|квартира|вх\\.|ет\\.|ап\\.|офис|оф\\.|під\\.|эт\\.) ?\\d{1,4})*';
const CODE = '(?:\\d{3} \\d{2}|\\d{4,6})(?!\\d)';
const KIND = '(?:[гм]\\.|гр\\.|город|місто|град) ?';
const TOWN = `\\p{Lu}[\\p{L}\\p{M}-]{2,}(?: \\p{Lu}[\\p{L}\\p{M}-]{2,})?`;
const ADDRESS = lean(
  `(?<![\\p{L}\\p{M}\\d])(?:${CODE},? (?:(?:${KIND})?${TOWN}, )?|${KIND}${TOWN}, )?${STREET}${HOUSE}(?:,?[ \\n]${CODE},? (?:${KIND})?${TOWN}|,[ \\n](?:${KIND})?(?<town>${TOWN}))?`,
  'gu',
);
const SIGN = lean(`(?<!\\p{L})(?:${BEFORE}|${BEHIND})`, 'u');
const TOWN_BEFORE = lean(`(?<![\\p{L}\\p{M}])(?<town>${TOWN}), $`, 'u');
const TOWN_UNITS = 40;

/** The addresses in `piece`, which begins at offset `from` of the text. */
export function scriptAddresses(
  piece: string,
  from: number,
  isTown: (word: string) => boolean,
  isGiven: (word: string) => boolean,
): NameSpan[] {
  if (!SIGN.test(piece)) return [];
  return [...matchesOf(piece, ADDRESS)].map(({ index, 0: found, groups }) => {
    const before = TOWN_BEFORE.exec(piece.slice(Math.max(0, index - TOWN_UNITS), index));
    const start = before !== null && isTown(before.groups!.town!) ? index - before[0].length : index;
    // A first name after the comma is a person and not a town.
    const behind = groups!.town !== undefined && isGiven(groups!.town) ? groups!.town.length + 2 : 0;
    return {
      type: 'LOCATION',
      start: from + start,
      end: from + index + found.length - behind,
      score: SCORE,
    };
  });
}
