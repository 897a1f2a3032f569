/** The labels of `src/pii/model/labels.ts`. */

export const LABELS = 8;
export const O = 0;
export const B_PERSON = 1;
export const I_PERSON = 2;
export const B_LOCATION = 3;
export const I_LOCATION = 4;
export const B_OTHER = 5;
export const I_OTHER = 6;
export const NRP = 7;

/** A token inside a name can only follow a token of the same name. */
export function isAllowed(previous: i32, next: i32): bool {
  if (next !== I_PERSON && next !== I_LOCATION && next !== I_OTHER) return true;
  return previous === next || previous === next - 1;
}
