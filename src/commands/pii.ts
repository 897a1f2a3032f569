import { randomInt } from 'node:crypto';
import { type DetectorPart, runPiiCommand, sampleTexts, scoreTexts } from '../pii/index.js';

export interface PiiOptions {
  scoreThreshold?: number;
  without?: DetectorPart[];
  all?: boolean;
  stats?: boolean;
}

/** The detector alone, on standard input and output. */
export function pii(options: PiiOptions): Promise<number> {
  return runPiiCommand({ input: process.stdin, output: process.stdout, error: process.stderr, ...options });
}

export interface PiiEvalOptions {
  sample?: number;
}

/** What of more texts than this is drawn is drawn evenly enough. */
const DRAWS = 2 ** 32;

/** Scores texts that somebody marked, or draws some to be marked. */
export async function piiEval({ sample }: PiiEvalOptions): Promise<number> {
  const given = { input: process.stdin, output: process.stdout };
  try {
    if (sample === undefined) await scoreTexts(given);
    else await sampleTexts(given, sample, () => randomInt(DRAWS) / DRAWS);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}
