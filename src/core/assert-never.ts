/**
 * For the `default` of a switch over a union of ours: what is added to the union and forgotten there does not compile.
 * Values that a type does not hold can come all the same, such as from a plugin; for these it throws.
 */
export function assertNever(value: never): never {
  throw new Error(`This case is not known here: ${String(JSON.stringify(value)).slice(0, 80)}`);
}
