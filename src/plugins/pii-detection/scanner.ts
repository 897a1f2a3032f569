import { createDetector } from '../../pii/index.js';
import { type DetectOptions, type Detector, type Finding, PiiOptionsError } from '../../pii/types.js';
import { ConfigMistake } from '../contract/config-mistake.js';
import type { Found, TextScanner } from '../text-guard/found.js';
import type { PiiDetectionConfig } from './config.js';

export const PII_SCANNER = 'pii';

export function detectOptions(config: PiiDetectionConfig): DetectOptions {
  return {
    entities: config.entities ?? undefined,
    regions: config.regions ?? undefined,
    language: config.language,
    scoreThreshold: config.score_threshold,
    allowList: config.allow_list ?? undefined,
    denyList: config.deny_list ?? undefined,
    context: config.context ?? undefined,
    explain: config.return_decision_process,
  };
}

/** Creates a scanner from a plugin's configuration, which must be validated already. */
export function createPiiScanner(options: PiiDetectionConfig): TextScanner {
  return scannerOf(createDetector(detectOptions(options)));
}

export function scannerOf(detector: Detector): TextScanner {
  return {
    *scan(text) {
      return (yield* detector.steps(text)).map(toFound);
    },
  };
}

/**
 * Creates a detector. Where the detector refuses an option, throws a `ConfigMistake` with the option's place in the
 * configuration.
 */
export function createChecked(options: DetectOptions): Detector {
  try {
    return createDetector(options);
  } catch (error) {
    if (!(error instanceof PiiOptionsError)) throw error;
    const place = error.path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    throw new ConfigMistake(`/${place.replace(/\[(\d+)\]/g, '/$1')}`, error.message);
  }
}

export function toFound({ entityType, start, end, score, explanation }: Finding): Found {
  const found: Found = { type: entityType, start, end, score };
  if (explanation === undefined) return found;
  const { recognizer, pattern, baseScore, validation, contextWord, reason } = explanation;
  found.explanation = {
    recognizer,
    base_score: baseScore,
    ...(pattern === undefined ? {} : { pattern }),
    ...(validation === undefined ? {} : { validation }),
    ...(contextWord === undefined ? {} : { context_word: contextWord }),
    ...(reason === undefined ? {} : { reason }),
  };
  return found;
}
