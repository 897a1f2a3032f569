import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { NODE_FLAGS } from '../../dist/process/memory.js';

const PROGRAM = fileURLToPath(new URL('./bare-detector.mjs', import.meta.url));

/** Starts `count` processes that look for personal data in texts of this many characters, and do nothing else. */
export async function startDetectors(count, characters) {
  const detectors = Array.from({ length: count }, () =>
    fork(PROGRAM, [String(characters)], { execArgv: NODE_FLAGS }),
  );
  await Promise.all(detectors.map(hear));
  return {
    /** How many texts the first `first` of them read together in this time. */
    async look(first, ms) {
      const all = detectors.slice(0, first).map((detector) => {
        const done = hear(detector);
        detector.send(ms);
        return done;
      });
      return (await Promise.all(all)).reduce((sum, texts) => sum + texts, 0);
    },
    stop() {
      for (const detector of detectors) detector.kill();
    },
  };
}

function hear(detector) {
  return new Promise((resolve) => detector.once('message', resolve));
}
