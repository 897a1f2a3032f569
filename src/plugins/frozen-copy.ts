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
  const members = Object.entries(value).map(([key, member]) => [key, copy(member, depth + 1)] as const);
  return Object.freeze(Object.fromEntries(members));
}
