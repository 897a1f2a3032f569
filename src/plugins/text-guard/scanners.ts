import { createPiiScanner, PII_SCANNER } from '../pii-detection/scanner.js';
import type { ScannerSpec, TextScanner } from './found.js';

/** By the kind that a spec names. */
const MAKERS: Record<string, (options: ScannerSpec['options']) => TextScanner> = {
  [PII_SCANNER]: createPiiScanner,
};

export function createScanner({ kind, options }: ScannerSpec): TextScanner {
  const make = MAKERS[kind];
  if (make === undefined) throw new Error(`there is no scanner '${kind}'`);
  return make(options);
}
