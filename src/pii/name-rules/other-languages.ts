/**
 * Portuguese, Dutch and Polish, which are read with the model of another language: what it runs together, towns and
 * surnames in the cases of Polish, and addresses that begin with the word for a street.
 */

import { expand } from '../expand.js';
import { asType, endingAt, type NameSpan, startingAt } from '../name-span.js';
import { lean } from '../patterns/lean.js';
import { matchesOf } from '../patterns/matches-of.js';

const TOLD = 0.65;
/** Words between two names that the model takes for a part of one. */
const BETWEEN = new Map([
  ['pt', / (?:em|até|para|com|na|no|desde) /u],
  ['nl', / (?:naar|tot|via|in|op|met|en) /u],
  ['pl', / (?:do|w|we|z|ze|na|przez|przy|i|od) /u],
]);
/** Of surnames, where no verb stands between two names. */
const PARTICLES = /^ (?:da|de|do|das|dos|e) /u;
const CAPITAL = /^\p{Lu}|^\d/u;
const POLISH_TOWN = lean(
  /(?<![\p{L}\p{M}])(?:Warszaw|Krak[oó]w|Łod|Łód|Wrocław|Pozna[nń]|Gdańsk|Szczecin|Bydgoszcz|Lublin|Białymstok|Białegostok|Białystok|Katowic|Gdyni|Częstochow|Radomi|Toru[nń]|Sosnow|Kielc|Rzesz[oó]w|Gliwic|Zabrz|Olsztyn|Opol|Zakopane|Sopo[ct]|Tarn[oó]w|Płock|Elbląg|Koszalin|Kalisz)\p{Ll}{0,4}(?!\p{L})/gu,
);
const POLISH_SURNAME = lean(
  /(?<![\p{L}\p{M}])\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+(?:sk|ck|dzk)(?:i|a|iego|iej|im|iemu|ą)(?!\p{L})|(?<![\p{L}\p{M}])\p{Lu}\p{Ll}+ \p{Lu}\p{Ll}+(?:wicz|czyk|czak|szak)(?:a|owi|em)?(?!\p{L})/gu,
);
const POLISH_STREET = lean(
  /(?<![\p{L}\p{M}])(?:ul|al|pl|os)\. \p{Lu}\p{Ll}+(?: (?:\p{Lu}\p{Ll}+|[IVX]+)){0,3} \d{1,4}[a-zA-Z]?(?:\/\d{1,4})?(?:, \d{2}-\d{3} \p{Lu}\p{Ll}+)?/gu,
);

/** `Benedita ligou da Covilhã`: somebody, a verb, and a place, which the model runs together. */
const SAID_OF = lean(
  /^(?<name>\p{Lu}\p{L}+) (?:\p{Ll}+(?:ou|eu|iu|am|em|a|e)) (?:da|de|do|em|na|no|para|a|ao) (?<place>\p{Lu}[\p{L} ]+)$/u,
);

function sayingOf(text: string, span: NameSpan): NameSpan[] {
  const { name, place } = SAID_OF.exec(text.slice(span.start, span.end))?.groups ?? {};
  if (name === undefined || PARTICLES.test(text.slice(span.start + name.length, span.end))) return [span];
  return [
    endingAt(asType(span, 'PERSON'), span.start + name.length),
    startingAt(asType(span, 'LOCATION'), span.end - place!.length),
  ];
}

/** `spans` of prose in `language`, with what a model of another language needs to be told. */
export function inLanguage(
  text: string,
  from: number,
  to: number,
  language: string,
  spans: readonly NameSpan[],
): readonly NameSpan[] {
  const between = BETWEEN.get(language);
  if (between === undefined) return spans;
  const said = language === 'pt' ? expand(spans, (span) => sayingOf(text, span)) : spans;
  const parts = expand(said, (span) => split(text, span, between));
  if (language !== 'pl') return parts;
  const piece = text.slice(from, to);
  const told = [
    ...all(piece, from, POLISH_STREET, 'LOCATION'),
    ...all(piece, from, POLISH_SURNAME, 'PERSON'),
    ...all(piece, from, POLISH_TOWN, 'LOCATION'),
  ];
  const fresh = told.filter((one, at) => !told.slice(0, at).some((other) => overlap(one, other)));
  const kept = parts.filter((span) => !fresh.some((one) => overlap(span, one)));
  return [...kept, ...fresh].sort((a, b) => a.start - b.start);
}

function overlap(one: NameSpan, other: NameSpan): boolean {
  return one.start < other.end && one.end > other.start;
}

function all(piece: string, from: number, pattern: RegExp, type: NameSpan['type']): NameSpan[] {
  return [...matchesOf(piece, pattern)].map(({ index, 0: found }) => {
    return { type, start: from + index, end: from + index + found.length, score: TOLD };
  });
}

/** `Lublina do Szczecina` is two places; a part in small letters is none. */
function split(text: string, span: NameSpan, between: RegExp): NameSpan[] {
  const found = text.slice(span.start, span.end);
  const word = span.type === 'LOCATION' ? between.exec(found) : null;
  if (word === null) return [span];
  const first = endingAt(span, span.start + word.index);
  const rest = startingAt(span, first.end + word[0].length);
  const isNamed = CAPITAL.test(found) || !/\p{Lu}/u.test(found);
  return [...(isNamed ? [first] : []), ...split(text, rest, between)];
}
