/**
 * For the `default` of a switch over one of our unions: a member that is added to the union and not handled does not
 * compile. At run time a value outside the type, for example from a plugin, throws.
 */
export function assertNever(value: never): never {
  throw new Error(`Unexpected case: ${String(JSON.stringify(value)).slice(0, 80)}`);
}
