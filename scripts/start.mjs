import { build } from './build.mjs';
import { install } from './install.mjs';
import { checkNode, fail } from './steps.mjs';

/*
 * `npm start`: builds whatever is missing. The launcher then runs in this same process, so that signals reach it and
 * its exit code is that of `npm start`.
 */
try {
  checkNode();
  await install();
  await build();
  const { start } = await import('../dist/local/start.js');
  // `npm start -- --no-demo-logs`: the demo begins without logs.
  await start({ demoLogs: !process.argv.includes('--no-demo-logs') });
} catch (error) {
  fail(error);
}
