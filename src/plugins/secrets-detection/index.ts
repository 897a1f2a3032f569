import { atOnce } from '../../core/pacing/steps.js';
import { definePlugin } from '../contract/define-plugin.js';
import { checkGuard } from '../text-guard/guard-config.js';
import { guardFunctions } from '../text-guard/guard-functions.js';
import { LocalEngine } from '../text-guard/local-engine.js';
import type { GuardSettings, PreparedGuard } from '../text-guard/prepared-guard.js';
import { followedBy } from '../text-guard/readings.js';
import { scanPool } from '../text-guard/scan-pool.js';
import { configSchema, REJECTION_MESSAGE } from './config.js';
import { createSecretsScanner, SECRETS_SCANNER } from './scanner.js';

/**
 * How much context before a secret is needed to identify it in a stream. Secrets contain no white space, except keys
 * in PEM.
 */
const STREAM_WINDOW = 128;
const LONGEST_RUN = 4_096;

/**
 * Finds keys, tokens and passwords of well-known services in all texts; rejects them, masks them or only records
 * them.
 */
export const secretsDetection = definePlugin<GuardSettings, PreparedGuard>({
  name: 'secrets_detection',
  description:
    'Finds API keys, tokens, private keys and passwords in URLs, and rejects them, masks them or notes them in the log.',
  configSchema,
  ...guardFunctions('secret_detected', REJECTION_MESSAGE),

  prepare: (settings) => {
    checkGuard(settings);
    const engine = new LocalEngine({
      scanner: createSecretsScanner(),
      spec: { kind: SECRETS_SCANNER, options: {} },
      pool: scanPool,
      longestRun: LONGEST_RUN,
      streamWindow: STREAM_WINDOW,
    });
    return {
      settings,
      engine,
      // With escapes, the context before a secret can take many more characters.
      keepFrom: (text, settled) => atOnce(followedBy(text, STREAM_WINDOW, settled)),
      debug: () => ({}),
    };
  },
});
