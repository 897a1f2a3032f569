/** The PII detector: text in, findings out. */
export { createDetector } from './detector.js';
export { DETECTOR_PARTS, type DetectorPart } from './parts.js';
export {
  type DetectOptions,
  type Detector,
  ENTITY_TYPES,
  type EntityType,
  type Explanation,
  type Finding,
  OPTIONAL_ENTITY_TYPES,
  PiiOptionsError,
  type ScoreThreshold,
} from './types.js';

/**
 * The greatest number of UTF-16 units that a finding of a pattern spans (400, for a piece of a web address) together
 * with the words around it that its score can depend on (64 before, 24 after). Masking of a stream holds back this
 * much text.
 */
export const STREAM_WINDOW = 512;
