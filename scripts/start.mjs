import { checkNode, fail, run } from './steps.mjs';

/*
 * `npm start`: builds whatever is missing, in a process of its own, because this one runs on and would keep the memory
 * that the build needed. For the same reason package.json gives its young objects 1 MiB, where Node's default of 16 would
 * fill up with the mock model's garbage. The launcher runs in this same process, so that signals reach it and its exit code is that of
 * `npm start`.
 */
try {
  checkNode();
  // It prints what goes wrong itself, an interruption too.
  const { code } = await run(process.execPath, ['scripts/build.mjs'], { show: true }).catch(() => ({
    code: 1,
  }));
  if (code !== 0) process.exit(1);
  const { start } = await import('../dist/local/start.js');
  // `npm start -- --no-demo-logs`: the demo begins without logs.
  await start({ demoLogs: !process.argv.includes('--no-demo-logs') });
} catch (error) {
  fail(error);
}
