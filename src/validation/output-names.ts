import { type JsonValue, pointerToken } from '../core/json.js';
import type { Failure } from './validation.js';

/** Steps that no schema names: the choice of an answer with several, and the call of a choice with several. */
const OUR_STEPS = ['choices', 'tool_calls'];

/**
 * What may be told of a failure where nobody has looked at the output yet: names of properties that the output
 * made up, and the schema does not have, can be anything that a model says. Each is a `*`.
 */
export function withoutOutputNames({ path, message, nameless, output }: Failure, schema: JsonValue): Failure {
  const known = namesIn(schema);
  for (const step of OUR_STEPS) known.add(step);
  const steps = path
    .split('/')
    .map((step) => (step === '' || /^\d+$/.test(step) || known.has(step) ? step : '*'));
  return { path: steps.join('/'), message: nameless ?? message, output };
}

/** All keys inside a value, as steps of a JSON pointer. */
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
