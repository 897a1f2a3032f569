import type { Choice } from '../../../core/answer.js';
import { assertNever } from '../../../core/assert-never.js';
import { isJsonObject } from '../../../core/json.js';
import type { Message, Part } from '../../../core/message.js';
import type { Steps } from '../../../core/pacing/steps.js';
import { PluginFault } from '../../contract/fault.js';

/*
 * Takes only the texts from a plugin's result and puts them into the original. Any other difference is a fault of the
 * plugin. In steps, because there may be many texts.
 */

export function takeMessages(original: readonly Message[], given: unknown): Steps<Message[]> {
  return takeList(original, given, '', (message, value, place) => takeHolder(message, value, place));
}

export function takeChoices(original: readonly Choice[], given: unknown): Steps<Choice[]> {
  return takeList(original, given, '', (choice, value, place) => takeHolder(choice, value, place));
}

const ITEMS_AT_ONCE = 250;

function* takeList<Item>(
  original: readonly Item[],
  given: unknown,
  place: string,
  take: (item: Item, value: unknown, place: string) => Steps<Item>,
): Steps<Item[]> {
  if (!Array.isArray(given)) throw new PluginFault(`gave no list at '${place}'`);
  if (given.length !== original.length) {
    throw new PluginFault(
      `changed the number of items at '${place}' from ${original.length} to ${given.length}`,
    );
  }
  const taken: Item[] = [];
  for (const [index, item] of original.entries()) {
    taken.push(yield* take(item, given[index], `${place}/${index}`));
    if (index % ITEMS_AT_ONCE === ITEMS_AT_ONCE - 1) yield;
  }
  return taken;
}

function* takeHolder<Holder extends { parts: Part[] }>(
  original: Holder,
  given: unknown,
  place: string,
): Steps<Holder> {
  const value = keepsAllBut('parts', original, given, place);
  return { ...original, parts: yield* takeList(original.parts, value.parts, `${place}/parts`, takePart) };
}

function* takePart(original: Part, given: unknown, place: string): Steps<Part> {
  if (given === original) return original;
  switch (original.type) {
    case 'text':
    case 'reasoning':
    case 'refusal':
      return { ...original, text: takeText('text', original, given, place) };
    case 'tool-call':
      return { ...original, arguments: takeText('arguments', original, given, place) };
    case 'tool-result':
      return yield* takeHolder(original, given, place);
    case 'document': {
      if (original.source.kind !== 'text') break;
      const value = keepsAllBut('source', original, given, place);
      const text = takeText('text', original.source, value.source, `${place}/source`);
      return { ...original, source: { kind: 'text', text } };
    }
    case 'image':
    case 'other':
      break;
    default:
      return assertNever(original);
  }
  if (!sameJson(original, given)) throw new PluginFault(`changed '${place}', which holds no text`);
  return original;
}

function takeText(key: string, original: object, given: unknown, place: string): string {
  const text = keepsAllBut(key, original, given, place)[key];
  if (typeof text !== 'string') throw new PluginFault(`gave no text at '${place}/${key}'`);
  return text;
}

/** The given object, after checking that all members except `key` are unchanged. */
function keepsAllBut(key: string, original: object, given: unknown, place: string): Record<string, unknown> {
  if (!isJsonObject(given)) throw new PluginFault(`gave no object at '${place}'`);
  const value: Record<string, unknown> = given;
  const before = original as Record<string, unknown>;
  for (const name of new Set([...Object.keys(before), ...Object.keys(value)])) {
    if (name !== key && !sameJson(before[name], value[name])) {
      throw new PluginFault(`changed '${place}/${name}', which is not text`);
    }
  }
  return value;
}

/** An undefined member counts as absent, because JSON has no undefined. */
function sameJson(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    if (!sameJson(left[key], right[key])) return false;
  }
  return true;
}
