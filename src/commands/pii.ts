import { runPiiCommand } from '../pii/index.js';

export interface PiiOptions {
  scoreThreshold?: number;
  all?: boolean;
  stats?: boolean;
}

/** The detector alone, on standard input and output. */
export function pii(options: PiiOptions): Promise<number> {
  return runPiiCommand({ input: process.stdin, output: process.stdout, error: process.stderr, ...options });
}
