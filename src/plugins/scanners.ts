import { createPiiScanner, PII_SCANNER } from './pii-detection/scanner.js';
import { createSecretsScanner, SECRETS_SCANNER } from './secrets-detection/scanner.js';
import type { ScannerSpec, TextScanner } from './text-guard/found.js';
import { createRulesScanner, RULES_SCANNER } from './text-rules/scanner.js';

/** The functions that create scanners, by the kind in a spec. */
const MAKERS: Record<string, (options: never) => TextScanner> = {
  [PII_SCANNER]: createPiiScanner,
  [SECRETS_SCANNER]: createSecretsScanner,
  [RULES_SCANNER]: createRulesScanner,
};

export function createScanner({ kind, options }: ScannerSpec): TextScanner {
  const make = MAKERS[kind];
  if (make === undefined) throw new Error(`there is no scanner '${kind}'`);
  // Whoever wrote the spec gave the options of its kind.
  return make(options as never);
}
