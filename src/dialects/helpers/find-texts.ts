import type { JsonValue } from '../../core/json.js';
import type { DeepPath } from '../wire/splice.js';

/** Names of members that hold no words of anybody: kinds, names of tools, ids and proofs. */
const NO_TEXT =
  /^(type|role|name|status|id|.*_id|finish_reason|stop_reason|signature|encrypted_.*|media_type|mime_type|cache_control)$/;

/** From this length on a string of these letters alone is data in base64. */
const BASE64 = /^[A-Za-z0-9+/_-]{256,}=*$/;

export function holdsNoText(key: string): boolean {
  return NO_TEXT.test(key);
}

/** For the objects and arrays inside a value, the members that are not looked at. */
export type Skipped = ReadonlyMap<object, ReadonlySet<string | number>>;

/** The strings inside a value that a person may have written, or a model. */
export function findTexts(
  value: JsonValue,
  path: DeepPath,
  skipped?: Skipped,
): { text: string; path: DeepPath }[] {
  const found: { text: string; path: DeepPath }[] = [];
  // A list of what is left to do, not recursion: a client decides how deep a value is.
  const left: { value: JsonValue; path: DeepPath }[] = [{ value, path }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value: inside, path: at } = next;
    if (typeof inside === 'string') {
      if (inside !== '' && !inside.startsWith('data:') && !BASE64.test(inside))
        found.push({ text: inside, path: at });
    } else if (typeof inside === 'object' && inside !== null) {
      const entries: [string | number, JsonValue][] = Array.isArray(inside)
        ? [...inside.entries()]
        : Object.entries(inside).filter(([key]) => !holdsNoText(key));
      const skip = skipped?.get(inside);
      for (const [key, member] of entries.reverse())
        if (!skip?.has(key)) left.push({ value: member, path: { within: at, step: key } });
    }
  }
  return found;
}
