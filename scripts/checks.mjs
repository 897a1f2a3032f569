import { checkDashboard } from './build-dashboard.mjs';
import { findCaseMistakes } from './check-cases.mjs';
import { findImportMistakes, readSources } from './check-imports.mjs';
import { findWireMistakes } from './check-wire.mjs';
import { runTool, StepError } from './steps.mjs';

/** Checks of the whole checkout. Each returns its complaints; an empty list means that all is well. */
export const CHECKS = [
  ['types', () => complaintsOf('typescript/bin/tsc', ['-p', 'tsconfig.check.json'])],
  ['types of the dashboard', () => checkDashboard().then(() => '', messageOf)],
  [
    'lint and format',
    () =>
      complaintsOf('@biomejs/biome/bin/biome', ['check', '--diagnostic-level=warn', '--error-on-warnings']),
  ],
  ['import table', () => findImportMistakes(readSources()).join('\n')],
  ['switches and casts', () => findCaseMistakes(readSources()).join('\n')],
  ['names of wire APIs', () => findWireMistakes(readSources()).join('\n')],
];

function messageOf(error) {
  if (error instanceof StepError) return error.message;
  throw error;
}

async function complaintsOf(script, parameters) {
  const { code, output } = await runTool(script, parameters);
  return code === 0 ? '' : output.trim() || `${script} ended with code ${code}`;
}
