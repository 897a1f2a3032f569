import type { Logger } from '../../src/core/logger.js';

export const silentLogger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
