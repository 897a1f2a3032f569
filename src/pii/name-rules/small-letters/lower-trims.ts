/** What the model takes for a part of a name in small letters in Portuguese, Dutch and Polish: `darek zapomniał hasła`. */

import {
  type Gazetteer,
  LIST_CITY,
  LIST_FIRST_NAME,
  LIST_LAST_NAME,
  wordKey,
} from '../../model/gazetteer.js';
import { endingAt, type NameSpan, startingAt } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { isSmallAt } from '../words-beside.js';
import { DUTCH, POLISH, PORTUGUESE } from './lower-deeds.js';

/** `carro da thaís`: the first word is a thing, or somebody of hers. */
const OF_HOST =
  /^(?:carro|casa|celular|mãe|pai|irmã|irmão|filh[oa]|amig[oa]|chefe|mesa|sala|moto|aniversário|festa|marido|mulher|namorad[oa]|número|telefone|conta|quarto|chave|grupo|aula|turma) d[aeo] (?=\p{Ll}+$)/u;
/** A verb behind the first word or two, and all behind it. */
const DEED = lean(
  `^\\p{Ll}[\\p{Ll}\\p{M}-]+(?: \\p{Ll}[\\p{Ll}\\p{M}-]+)?? (?=(?:${PORTUGUESE}|${POLISH}|${DUTCH})(?!\\p{L}))`,
  'u',
);
/** Something that somebody did, in Portuguese: `tamires caiu`. */
const PAST = lean(/^(?<name>\p{Ll}[\p{Ll}\p{M}-]+) (?<deed>\p{Ll}{2,}(?:ou|eu|iu))$/u);
/** Where somebody works: `edmilson da portaria`, `femke van de receptie`. */
const OF_PLACE = lean(
  /^(?<name>\p{Ll}[\p{Ll}\p{M}-]+) (?:d[aeo]|van (?:de|het)|van(?= (?:klantenservice|receptie|boekhouding|administratie|verkoop|kantoor|marketing|magazijn|school|werk|boven|beneden|hiernaast)$)) (?<place>\p{Ll}[\p{Ll}\p{M}]+)$/u,
);

/** `spans` with the people in small letters that are no longer than their names. */
export function trimmedInSmall(
  text: string,
  spans: readonly NameSpan[],
  lists: Gazetteer,
): readonly NameSpan[] {
  const mayBeTrimmed = ({ type, start, end }: NameSpan) =>
    type === 'PERSON' && isSmallAt(text, start) && text.slice(start, end).includes(' ');
  if (!spans.some(mayBeTrimmed)) return spans;
  return spans.map((span) => (mayBeTrimmed(span) ? trimmed(text, span, lists) : span));
}

function flagsOf(word: string, lists: Gazetteer): number {
  return lists.find(wordKey(word, 0, word.length));
}

function trimmed(text: string, span: NameSpan, lists: Gazetteer): NameSpan {
  const found = text.slice(span.start, span.end);
  const host = OF_HOST.exec(found)?.[0];
  if (host !== undefined) return startingAt(span, span.start + host.length);
  const deed = DEED.exec(found)?.[0];
  if (deed !== undefined) return endingAt(span, span.start + deed.length - 1);
  const past = PAST.exec(found)?.groups;
  if (past !== undefined && (flagsOf(past.deed!, lists) & (LIST_LAST_NAME | LIST_FIRST_NAME)) === 0)
    return endingAt(span, span.start + past.name!.length);
  const { name, place } = OF_PLACE.exec(found)?.groups ?? {};
  const isSurname = place !== undefined && (flagsOf(place, lists) & (LIST_LAST_NAME | LIST_CITY)) !== 0;
  return name === undefined || isSurname ? span : endingAt(span, span.start + name.length);
}
