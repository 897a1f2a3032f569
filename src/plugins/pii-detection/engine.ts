import { STREAM_WINDOW } from '../../pii/index.js';
import type { TextEngine } from '../text-guard/found.js';
import { LocalEngine } from '../text-guard/local-engine.js';
import { scanPool } from '../text-guard/scan-pool.js';
import { streamWindowFor } from '../text-guard/stream-window.js';
import type { PiiDetectionConfig } from './config.js';
import { createChecked, detectOptions, PII_SCANNER, scannerOf } from './scanner.js';

export interface PiiEngine {
  engine: TextEngine;
  languageSupported: boolean;
}

export function createBuiltInEngine(config: PiiDetectionConfig): PiiEngine {
  const detector = createChecked(detectOptions(config));
  const engine = new LocalEngine({
    scanner: scannerOf(detector),
    spec: { kind: PII_SCANNER, options: config },
    pool: scanPool,
    longestRun: STREAM_WINDOW,
    streamWindow: streamWindowFor(config.deny_list ?? [], config.allow_list ?? []),
  });
  return { engine, languageSupported: detector.languageSupported };
}
