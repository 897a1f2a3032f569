import type { JsonValue } from '../core/json.js';
import type { DeepPath } from './splice.js';

/** Names of members that hold no words of anybody: kinds, names of tools, ids and proofs. */
const NO_TEXT =
  /^(type|role|name|status|id|.*_id|finish_reason|stop_reason|signature|encrypted_.*|media_type|mime_type|cache_control)$/;

/** From this length on a string of these letters alone is data in base64. */
const BASE64 = /^[A-Za-z0-9+/_-]{256,}=*$/;

/** The strings inside a value that a person may have written, or a model. */
export function findTexts(value: JsonValue, path: DeepPath): { text: string; path: DeepPath }[] {
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
        : Object.entries(inside).filter(([key]) => !NO_TEXT.test(key));
      for (const [key, member] of entries.reverse())
        left.push({ value: member, path: { within: at, step: key } });
    }
  }
  return found;
}
