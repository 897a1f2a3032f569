import { randomInt } from 'node:crypto';
import type { DetectorPart, EntityType } from '../pii/index.js';
import { runPiiCommand } from './pii/command.js';
import { sampleTexts, scoreTexts } from './pii/evaluate.js';

export interface PiiOptions {
  scoreThreshold?: number;
  without?: DetectorPart[];
  all?: boolean;
  /** Whether lines are plain text and not JSON. */
  text?: boolean;
  stats?: boolean;
}

/** Runs the detector alone, on standard input and output. */
export function pii({ text, ...options }: PiiOptions): Promise<number> {
  const streams = { input: process.stdin, output: process.stdout, error: process.stderr };
  return runPiiCommand({ ...streams, plain: text, ...options });
}

export interface PiiEvalOptions {
  sample?: number;
  language?: string;
  entities?: string[];
}

/** The number of different values of the random numbers by which texts are drawn. */
const DRAWS = 2 ** 32;

/** Scores the detector on texts that somebody marked, or draws texts that are to be marked. */
export async function piiEval({ sample, language, entities }: PiiEvalOptions): Promise<number> {
  const types = entities as (EntityType | 'all')[] | undefined;
  const given = { input: process.stdin, output: process.stdout, language, entities: types };
  try {
    if (sample === undefined) await scoreTexts(given);
    else await sampleTexts(given, sample, () => randomInt(DRAWS) / DRAWS);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
