import type { PiiDetector } from '../admin/dependencies.js';
import { createDetector, type Detector, ENTITY_TYPES, OPTIONAL_ENTITY_TYPES } from '../pii/index.js';

/** The detector for people who mark texts. It is created at the first text, because its model takes memory. */
export function createPiiDetector(): PiiDetector {
  let detector: Detector | undefined;
  return {
    types: new Set<string>([...ENTITY_TYPES, ...OPTIONAL_ENTITY_TYPES]),
    async find(text) {
      detector ??= createDetector();
      const found = await detector.detect(text);
      return found.map(({ entityType: type, start, end, score }) => ({ start, end, type, score }));
    },
  };
}
