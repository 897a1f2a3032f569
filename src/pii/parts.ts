/** The parts of the detector that can be left out, to see what each of them brings: `sluice pii --without fields`. */
export const DETECTOR_PARTS = [
  /** PERSON, LOCATION and NRP as a whole. */
  'names',
  /** What fields, columns and records say of their values. */
  'fields',
  /** Names in Greek, Cyrillic and the scripts of East Asia. */
  'scripts',
  /** What is no name by its form. */
  'refuse',
  /** Prose beside code, where packages are called like people. */
  'technical',
  /** Scores as shares of findings that are right. */
  'calibration',
  /** The words near a number. */
  'context',
] as const;

export type DetectorPart = (typeof DETECTOR_PARTS)[number];
