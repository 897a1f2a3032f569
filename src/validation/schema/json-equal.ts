import type { Budget } from '../pattern/budget.js';

/** The approximate time for comparing two values, in microseconds. */
const VALUE_US = 0.01;

/**
 * Equality of JSON values. The usual helpers trust `constructor`, `valueOf` and `toString`, which are ordinary
 * members in parsed JSON.
 */
export function createJsonEqual(budget: Budget): (left: unknown, right: unknown) => boolean {
  function equal(left: unknown, right: unknown): boolean {
    budget.spend(VALUE_US);
    if (left === right) return true;
    if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null)
      return false;
    if (Array.isArray(left) || Array.isArray(right)) {
      return Array.isArray(left) && Array.isArray(right) && equalArrays(left, right);
    }
    return equalObjects(left as Record<string, unknown>, right as Record<string, unknown>);
  }

  function equalArrays(left: unknown[], right: unknown[]): boolean {
    return left.length === right.length && left.every((item, index) => equal(item, right[index]));
  }

  function equalObjects(left: Record<string, unknown>, right: Record<string, unknown>): boolean {
    const keys = Object.keys(left);
    budget.spend(keys.length * VALUE_US);
    if (keys.length !== Object.keys(right).length) return false;
    return keys.every((key) => Object.hasOwn(right, key) && equal(left[key], right[key]));
  }

  return equal;
}
