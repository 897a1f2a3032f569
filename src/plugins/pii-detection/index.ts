import { definePlugin } from '../contract/define-plugin.js';
import { checkGuard } from '../text-guard/guard-config.js';
import { guardFunctions } from '../text-guard/guard-functions.js';
import type { PreparedGuard } from '../text-guard/prepared-guard.js';
import { configSchema, type PiiDetectionConfig, REJECTION_MESSAGE } from './config.js';
import { createBuiltInEngine } from './engine.js';
import { createPresidioEngine } from './presidio.js';
import { sayWhy } from './say-why.js';

/** Finds personal data in all texts of requests and answers; rejects it, masks it or only records it. */
export const piiDetection = definePlugin<PiiDetectionConfig, PreparedGuard>({
  name: 'pii_detection',
  description: 'Finds personal data, and rejects it, masks it or notes it in the log.',
  configSchema,
  ...guardFunctions('pii_detected', REJECTION_MESSAGE),

  prepare: (config) => {
    checkGuard(config);
    const { engine, languageSupported } =
      config.engine === 'presidio' ? createPresidioEngine(config) : createBuiltInEngine(config);
    return { settings: config, engine, debug: sayWhy(config, languageSupported) };
  },
});
