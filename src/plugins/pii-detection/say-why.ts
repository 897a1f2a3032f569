import type { JsonObject } from '../../core/json.js';
import type { PlacedFound } from '../text-guard/found.js';
import type { PiiDetectionConfig } from './config.js';

/** The `debug` output of a run: that the language has no model and, if requested, why each finding was made. */
export function sayWhy(
  config: PiiDetectionConfig,
  languageSupported: boolean,
): (found: readonly PlacedFound[]) => JsonObject {
  return (found) => {
    const debug: JsonObject = {};
    if (!languageSupported) {
      debug.language = `There is no model for '${config.language}': names were read with that of the nearest language.`;
    }
    if (config.return_decision_process && found.length > 0) debug.decisions = found.map(decision);
    return debug;
  };
}

function decision({ type, place, score, explanation }: PlacedFound): JsonObject {
  return { entity_type: type, place, score, ...explanation };
}
