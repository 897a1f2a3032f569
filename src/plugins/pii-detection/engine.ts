import { type DetectOptions, type Detector, type Finding, PiiOptionsError } from '../../pii/types.js';
import { ConfigMistake } from '../host/config-mistake.js';
import type { PiiDetectionConfig } from './config.js';
import { streamWindowFor } from './stream-window.js';

/** What looks at texts for the plugin. Offsets are UTF-16 units; findings do not overlap. */
export interface PiiEngine {
  /** Texts of up to so many units together may be given to `findSync`; 0 where it cannot. */
  readonly syncLimit: number;
  findSync(text: string): Finding[];
  find(text: string, signal: AbortSignal): Promise<Finding[]>;
  /** UTF-16 units that it must see around a text in a stream; undefined where it needs the whole answer. */
  readonly streamWindow?: number;
  /** An unbroken run of text of up to so many units is to be seen whole. */
  readonly longestRun: number;
  readonly languageSupported: boolean;
}

/** What the plugin needs of the detector. */
export interface DetectorKit {
  createDetector(options: DetectOptions): Detector;
  syncLimit: number;
  /** The most that a finding and what its score depends on can span. */
  streamWindow: number;
}

export function createBuiltInEngine(config: PiiDetectionConfig, kit: DetectorKit): PiiEngine {
  const detector = createChecked(kit, {
    entities: config.entities ?? undefined,
    language: config.language,
    scoreThreshold: config.score_threshold,
    allowList: config.allow_list ?? undefined,
    denyList: config.deny_list ?? undefined,
    context: config.context ?? undefined,
    explain: config.return_decision_process,
  });
  return {
    syncLimit: kit.syncLimit,
    findSync: (text) => detector.detectSync(text),
    find: (text, signal) => detector.detect(text, signal),
    streamWindow: streamWindowFor(config.deny_list ?? [], config.allow_list ?? []),
    longestRun: kit.streamWindow,
    languageSupported: detector.languageSupported,
  };
}

/** Throws a `ConfigMistake` at the place of the configuration that the detector refuses. */
export function createChecked(kit: DetectorKit, options: DetectOptions): Detector {
  try {
    return kit.createDetector(options);
  } catch (error) {
    if (!(error instanceof PiiOptionsError)) throw error;
    const place = error.path.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    throw new ConfigMistake(`/${place.replace(/\[(\d+)\]/g, '/$1')}`, error.message);
  }
}
