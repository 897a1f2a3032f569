import { type JsonValue, pointerToken } from '../core/json.js';
import type { Failure } from './validation.js';

/**
 * Steps of paths that come from us and not from a schema: the choice where there are several, and the call where there are
 * several.
 */
const OUR_STEPS = ['choices', 'tool_calls'];

/**
 * The part of a failure that may be shown before anybody has checked the output. Property names that are in the output but
 * not in the schema can be any text of a model, so each becomes `*`.
 */
export function withoutOutputNames({ path, message, nameless, output }: Failure, schema: JsonValue): Failure {
  const known = namesIn(schema);
  for (const step of OUR_STEPS) known.add(step);
  const steps = path
    .split('/')
    .map((step) => (step === '' || /^\d+$/.test(step) || known.has(step) ? step : '*'));
  return { path: steps.join('/'), message: nameless ?? message, output };
}

/** All keys inside a value, as tokens of a JSON pointer. */
function namesIn(value: JsonValue): Set<string> {
  const names = new Set<string>();
  const left: JsonValue[] = [value];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) for (const key of Object.keys(next)) names.add(pointerToken(key));
    for (const member of Object.values(next)) left.push(member);
  }
  return names;
}
