import type { JsonObject, JsonValue } from '../../src/core/json.js';
import { between, type Random } from '../support/faults/seeded-random.js';

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[between(random, 0, items.length)] as Item;
}

const deep = (levels: number): JsonValue => JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as JsonValue;

/** Values that break readers: odd types, depth, size, spellings, keys that every object inherits. */
const VALUES: readonly (() => JsonValue)[] = [
  () => null,
  () => true,
  () => -1,
  () => 1e308,
  () => '',
  () => '\u0000\ud800',
  () => '🙈'.repeat(500),
  () => 'data: x\n\nevent: error\n\n',
  () => [],
  () => ({}),
  () => [[[]]],
  () => ({ type: 'text' }),
  () => ({ type: 'unheard_of', text: 'x', content: [{ type: 'text', text: 'y' }] }),
  () => JSON.parse('{"__proto__":{"a":1},"constructor":1,"toString":"x"}') as JsonValue,
  () => deep(120),
  () => deep(900),
  () => '['.repeat(6_000) + ']'.repeat(6_000),
  () => `{"a":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`,
  () => 'x'.repeat(100_000),
  () => Array.from({ length: 5_000 }, () => ({})),
  () => Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`k${at}`, at])),
];

interface Place {
  holder: JsonObject | JsonValue[];
  key: string | number;
}

function placesIn(value: JsonValue, found: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return found;
  const holder = value as JsonObject;
  for (const key of Object.keys(value)) {
    found.push({ holder, key });
    placesIn(holder[key] as JsonValue, found);
  }
  return found;
}

/** Changes some members of a value, in its place; those that `isKept` names stay. */
export function mutateValue(random: Random, value: JsonValue, isKept: (value: JsonValue) => boolean): void {
  for (let count = between(random, 0, 4); count > 0; count--) {
    const places = placesIn(value);
    if (places.length === 0) return;
    const { holder, key } = pick(random, places);
    const member = (holder as JsonObject)[key] as JsonValue;
    if (isKept(member)) continue;
    change(random, holder as JsonObject, String(key), member);
  }
}

function change(random: Random, holder: JsonObject, key: string, member: JsonValue): void {
  switch (between(random, 0, 6)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
      return;
    case 1:
      holder[key] = [member];
      return;
    case 2:
      holder[key] = { type: 'text', text: member };
      return;
    case 3:
      if (Array.isArray(holder)) holder.push(structuredClone(member));
      else holder[`${key[0]?.toUpperCase()}${key.slice(1)}`] = structuredClone(member);
      return;
    default:
      holder[key] = pick(random, VALUES)();
  }
}

/** Flips, drops, doubles and adds bytes. */
export function mutateBytes(random: Random, bytes: Buffer): Buffer {
  let result = Buffer.from(bytes);
  for (let count = between(random, 1, 5); count > 0 && result.length > 0; count--) {
    const at = between(random, 0, result.length);
    const to = Math.min(result.length, at + between(random, 1, 40));
    const pieces = [
      () => [result.subarray(0, at), Buffer.from([between(random, 0, 256)]), result.subarray(at + 1)],
      () => [result.subarray(0, at), result.subarray(to)],
      () => [result.subarray(0, to), result.subarray(at)],
      () => [result.subarray(0, at)],
      () => [result.subarray(0, at), Buffer.from(pick(random, TOKENS)), result.subarray(at)],
    ];
    result = Buffer.concat(pick(random, pieces)());
  }
  return result;
}

const TOKENS = [
  '"',
  '\\',
  '{',
  '}',
  ']',
  '\n\n',
  '\r',
  'data: ',
  'data: [DONE]\n\n',
  ',"model":"other"',
  '\ufeff',
  '\u0000',
  '['.repeat(2_000),
  'null',
];
