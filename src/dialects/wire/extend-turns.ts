import type { JsonObject, JsonValue } from '../../core/json.js';
import { extendArray, extendString, spliceValues } from './splice.js';
import { asArray, asObject } from './values.js';

/**
 * The text of a list of `{"role", "content"}` turns with a prompt and turns added, or undefined where there are
 * neither. Some models accept only one system message, so the prompt is appended to it.
 */
export function extendTurns(
  text: string,
  turns: JsonValue | undefined,
  prompt: string | undefined,
  added: readonly JsonObject[],
): string | undefined {
  if (prompt === undefined && added.length === 0) return undefined;
  const after = added.map((turn) => JSON.stringify(turn));
  if (prompt === undefined) return extendArray(text, [], after);
  const role = asObject(asArray(turns)[0])?.role;
  if (role === 'system' || role === 'developer') return extendArray(extendSystem(text, prompt), [], after);
  return extendArray(text, [JSON.stringify({ role: 'system', content: prompt })], after);
}

function extendSystem(turns: string, prompt: string): string {
  const part = JSON.stringify({ type: 'text', text: prompt });
  const write = (old: string) =>
    old.startsWith('[') ? extendArray(old, [], [part]) : extendString(old, `\n\n${prompt}`);
  return spliceValues(turns, [{ path: [0, 'content'], write }]);
}
