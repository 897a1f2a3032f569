import { watch } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { checkNode, fail, root, StepError } from './steps.mjs';

/*
 * `npm run dev`: like `npm start`, but each change below `src/` is built, and the engine restarted with it. Envoy,
 * mongod and the mock model keep running. After a build that fails, the engine of the last good build goes on.
 */
const QUIET_MS = 200;

try {
  checkNode();
  await install();
  await build();
  const { start } = await import('../dist/local/start.js');
  await start({ onReady: watchSources });
} catch (error) {
  fail(error);
}

/** Builds after a burst of changes has ended, then restarts the engine. Returns the function that ends the watch. */
function watchSources({ restart, report }) {
  let timer;
  let building = Promise.resolve();
  const watcher = watch(join(root, 'src'), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      building = building.then(() => rebuild(restart, report));
    }, QUIET_MS);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

async function rebuild(restart, report) {
  try {
    await build();
    report('built; restarting the engine');
    await restart('engine');
  } catch (error) {
    report(error instanceof StepError ? error.message : String(error));
  }
}
