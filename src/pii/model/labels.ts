/**
 * The labels that the model gives to tokens. OTHER is for organisations, works and similar: names, but not of people.
 */
export const LABELS = [
  'O',
  'B-PERSON',
  'I-PERSON',
  'B-LOCATION',
  'I-LOCATION',
  'B-OTHER',
  'I-OTHER',
  'NRP',
] as const;

export const LABEL_COUNT = LABELS.length;
export const O = 0;
export const B_PERSON = 1;
export const I_PERSON = 2;
export const B_LOCATION = 3;
export const I_LOCATION = 4;
export const B_OTHER = 5;
export const I_OTHER = 6;
export const NRP = 7;

/** Whether one label may follow another: a token inside a name can only follow a token of the same name. */
export function isAllowed(previous: number, next: number): boolean {
  if (next === I_PERSON || next === I_LOCATION || next === I_OTHER) {
    return previous === next || previous === next - 1;
  }
  return true;
}
