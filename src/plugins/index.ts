import type { Plugin } from './plugin.js';

/** What comes with the product. */
export const BUILT_IN_PLUGINS: readonly Plugin<unknown>[] = [];
