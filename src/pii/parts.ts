/**
 * The parts of the detector that can be left out, to measure what each of them contributes: `sluice pii --without
 * fields`.
 */
export const DETECTOR_PARTS = [
  /** All findings of PERSON, LOCATION and NRP. */
  'names',
  /** What the names of fields and columns say about values. */
  'fields',
  /** Names in Greek, Cyrillic and East Asian scripts. */
  'scripts',
  /** The rules that drop what cannot be a name by its form. */
  'refuse',
  /** The rules for prose about code, where packages are called like people. */
  'technical',
  /** The conversion of scores into shares of findings that are right. */
  'calibration',
  /** The words near a number. */
  'context',
] as const;

export type DetectorPart = (typeof DETECTOR_PARTS)[number];
