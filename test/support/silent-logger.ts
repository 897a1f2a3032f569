import type { Logger } from '../../src/core/logger.js';

export const silentLogger: Logger = { info: () => {}, warn: () => {}, error: () => {} };
