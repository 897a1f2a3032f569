import { randomInt } from 'node:crypto';
import { type DetectorPart, runPiiCommand, sampleTexts, scoreTexts } from '../pii/index.js';

export interface PiiOptions {
  scoreThreshold?: number;
  without?: DetectorPart[];
  all?: boolean;
  /** Lines of plain text in place of JSON. */
  text?: boolean;
  stats?: boolean;
}

/** The detector alone, on standard input and output. */
export function pii({ text, ...options }: PiiOptions): Promise<number> {
  const streams = { input: process.stdin, output: process.stdout, error: process.stderr };
  return runPiiCommand({ ...streams, plain: text, ...options });
}

export interface PiiEvalOptions {
  sample?: number;
}

/** Texts are drawn with this resolution. */
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
