/** Fields without quotes, a line each: `town = Dakar`, `owner: Ada Lind`, as in INI files, properties and forms. */
import { type FieldName, isNameValue, isNobody, kindOfValue, TOLD } from './field-names.js';
import { allOf } from './stretches.js';

const FIELD =
  /(?<=^|\n)[ \t]{0,16}(?:export )?(?<key>[A-Za-z][\w-]{1,40}) {0,4}[=:] {0,4}(?<value>\p{Lu}[^"'`;(){}<>=\n]{1,60})(?=\n|$)/gu;
const FIELD_SIGN = /[=:] {0,4}\p{Lu}[^"'`;(){}<>=\n]{1,60}(?:\n|$)/u;
/** Its value is one word: of others one word may as well be a program, or a team. */
const PART_OF_NAME =
  /names?$|^(?:pr[ée]nom|apellidos?|cognome|sobrenome|imi[ęe]|nazwisko|voornaam|achternaam)$/i;

export function* plainFields(text: string): Generator<void, FieldName[]> {
  const found: FieldName[] = [];
  for (const { end, start, groups } of yield* allOf(FIELD, text, FIELD_SIGN)) {
    const key = groups.key!;
    const value = groups.value!.trimEnd();
    if (!isNameValue(value) || isNobody(key, value)) continue;
    const from = end - groups.value!.length;
    const type = kindOfValue(text, key, start + text.slice(start, end).indexOf(key), end);
    const isWhole = type === 'LOCATION' || value.includes(' ') || PART_OF_NAME.test(key);
    if (type !== undefined && isWhole)
      found.push({ type, start: from, end: from + value.length, score: TOLD });
  }
  return found;
}
