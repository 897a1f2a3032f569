/** Deeper members are shown as null: a body made of brackets alone must not take a guard out by its depth. */
const GREATEST_DEPTH = 100;

/** A deep copy that nobody can change, so that a plugin cannot reach into the exchange. */
export function frozenCopy<Value>(value: Value): Value {
  return copy(value, 0) as Value;
}

function copy(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return new Date(value);
  if (depth === GREATEST_DEPTH) return null;
  if (Array.isArray(value)) return Object.freeze(value.map((item) => copy(item, depth + 1)));
  const members = value as Record<string, unknown>;
  const result: Record<string, unknown> = {};
  for (const key of Object.keys(members)) {
    const member = copy(members[key], depth + 1);
    // Written plainly, this one key would set the prototype and be gone.
    if (key === '__proto__') Object.defineProperty(result, key, { value: member, enumerable: true });
    else result[key] = member;
  }
  return Object.freeze(result);
}
