import { build } from './build.mjs';
import { install } from './install.mjs';
import { checkNode, fail } from './steps.mjs';

/*
 * `npm start`: whatever is missing is made, then the launcher goes on in this same process, so that signals
 * reach it and its exit code is ours.
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
