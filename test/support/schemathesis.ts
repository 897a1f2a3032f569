import { join } from 'node:path';
import { preparePython } from './python-environment.js';

const VERSION = '4.32.5';

export type Schemathesis = { program: string } | { missing: string };

/**
 * The pinned schemathesis, in a virtual environment in the user's cache that is made once where Python is installed.
 */
export async function findSchemathesis(): Promise<Schemathesis> {
  const made = await preparePython(
    `schemathesis-${VERSION}`,
    [`schemathesis==${VERSION}`],
    ['schemathesis', '--version'],
  );
  return 'missing' in made ? made : { program: join(made.programs, 'schemathesis') };
}
