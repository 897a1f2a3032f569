import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { refuse } from './check.js';
import { type Known, Members, schema } from './members.js';

interface Left {
  value: JsonValue;
  path: string;
  known: Known | undefined;
}

/**
 * Refuses members that are a known one but for capitals, such as `MODEL`. Some servers take the two for the same: such
 * a member would then tell them what neither we nor a guard has read.
 */
export function refuseLookalikes(request: JsonObject, known: Members): void {
  const left: Left[] = [{ value: request, path: '', known }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const { value, path, known: here } = next;
    // In a schema, and where nothing is known, names are the client's own.
    if (!(here instanceof Members) || here === schema) continue;
    if (Array.isArray(value)) {
      value.forEach((item, index) => {
        if (typeof item === 'object') left.push({ value: item, path: `${path}[${index}]`, known: here });
      });
    } else if (isJsonObject(value)) {
      refuseIn(value, path, here, left);
    }
  }
}

function refuseIn(value: JsonObject, path: string, here: Members, left: Left[]): void {
  const prefix = path === '' ? '' : `${path}.`;
  for (const key of Object.keys(value)) {
    const alike = here.lookalike(key);
    if (alike !== undefined) {
      const meant = `${prefix}${alike}`;
      refuse(meant, `'${prefix}${key.slice(0, 64)}' is not a member of this API. Did you mean '${meant}'?`);
    }
    const member = value[key]!;
    if (typeof member !== 'object') continue;
    left.push({ value: member, path: prefix + key, known: here.known.get(key) ?? here.others });
  }
}
