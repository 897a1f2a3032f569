import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/*
 * Plain Node without dependencies: these files run before anything is installed.
 */

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const MINIMUM_NODE = [20, 19];
const QUIET_MS = 1_000;

/** A message that says what is wrong and what to do; shown without a stack. */
export class StepError extends Error {}

export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1])) return;
  throw new StepError(
    `Node ${process.versions.node} is too old: Sluice needs ${MINIMUM_NODE.join('.')} or later. See https://nodejs.org/.`,
  );
}

/** Does the work and prints a line for it when it takes more than a second, and another when it is done. */
export async function step(name, work) {
  const started = performance.now();
  let told = false;
  const timer = setTimeout(() => {
    told = true;
    console.log(`${name} …`);
  }, QUIET_MS);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    if (told) console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
}

/**
 * Runs a program in the root of the checkout. Gives its exit code and what it printed; with `show` it prints
 * straight to the terminal instead.
 */
export function run(command, parameters, { show = false, environment = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = show ? 'inherit' : ['ignore', 'pipe', 'pipe'];
    const child = spawn(command, parameters, { cwd: root, env: environment, stdio });
    const chunks = [];
    child.stdout?.on('data', (chunk) => chunks.push(chunk));
    child.stderr?.on('data', (chunk) => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') }),
    );
  });
}

/** Runs a tool of node_modules with this very Node. */
export function runTool(script, parameters, options) {
  return run(process.execPath, [`node_modules/${script}`, ...parameters], options);
}

/** Ends the process with one readable message for what was foreseen, and with the stack for what was not. */
export function fail(error) {
  console.error(error instanceof StepError ? `\n${error.message}` : error);
  process.exit(1);
}
