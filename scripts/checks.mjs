import { findImportMistakes, readSources } from './check-imports.mjs';
import { runTool } from './steps.mjs';

/** Questions about the whole checkout. Each answers with its complaints, or with nothing. */
export const CHECKS = [
  ['types', () => complaintsOf('typescript/bin/tsc', ['-p', 'tsconfig.check.json'])],
  [
    'lint and format',
    () =>
      complaintsOf('@biomejs/biome/bin/biome', ['check', '--diagnostic-level=warn', '--error-on-warnings']),
  ],
  ['import table', () => findImportMistakes(readSources()).join('\n')],
];

async function complaintsOf(script, parameters) {
  const { code, output } = await runTool(script, parameters);
  return code === 0 ? '' : output.trim() || `${script} ended with code ${code}`;
}
