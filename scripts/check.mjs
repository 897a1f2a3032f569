import { CHECKS } from './checks.mjs';
import { Counts, printCounts } from './counts.mjs';
import { install } from './install.mjs';
import { runCheck, runTests } from './run-tests.mjs';
import { checkNode, fail } from './steps.mjs';

/** `npm run check`: types, lint, import table and unit tests, in a minute. */
try {
  checkNode();
  await install();
  const counts = new Counts();
  for (const [name, check] of CHECKS) counts.add(await runCheck(name, check));
  counts.add(await runTests(['unit']));
  printCounts(counts);
  process.exitCode = counts.succeeded ? 0 : 1;
} catch (error) {
  fail(error);
}
