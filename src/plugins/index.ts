import type { Plugin } from './contract/plugin.js';
import { piiDetection } from './pii-detection/index.js';
import { secretsDetection } from './secrets-detection/index.js';
import { textRules } from './text-rules/index.js';
import { webhook } from './webhook/index.js';

/** The plugins that come with the product. */
export const BUILT_IN_PLUGINS: readonly Plugin<unknown>[] = [
  piiDetection,
  secretsDetection,
  textRules,
  webhook,
];
