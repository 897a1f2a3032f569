import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/* These functions use plain Node.js without dependencies, because they run before anything is installed. */

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

const MINIMUM_NODE = [20, 19];
const QUIET_MS = 1_000;
const PATIENCE_MS = 2_000;

/** A message that says what is wrong and what to do; shown without a stack. */
export class StepError extends Error {}

/** A signal came while a program ran for us, so nothing further is done. */
class Interruption extends Error {}

export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > MINIMUM_NODE[0] || (major === MINIMUM_NODE[0] && minor >= MINIMUM_NODE[1])) return;
  throw new StepError(
    `Node ${process.versions.node} is too old: Sluice needs ${MINIMUM_NODE.join('.')} or later. See https://nodejs.org/.`,
  );
}

/** Runs the work. Where it takes more than a second, prints a line for it, and another one when it is done. */
export async function step(name, work) {
  const started = performance.now();
  let wasPrinted = false;
  const timer = setTimeout(() => {
    wasPrinted = true;
    console.log(`${name} …`);
  }, QUIET_MS);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    if (wasPrinted) console.log(`${name}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  }
}

/**
 * Runs a program in the root of the checkout. Resolves with its exit code and what it printed; with `show` it prints
 * straight to the terminal instead. A signal to this process first ends the program; then the promise rejects.
 */
export function run(command, parameters, { show = false, environment = process.env } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = show ? 'inherit' : ['ignore', 'pipe', 'pipe'];
    // The program gets a process group of its own, so that a signal also reaches the programs that it starts.
    const child = spawn(command, parameters, { cwd: root, env: environment, stdio, detached: !show });
    const chunks = [];
    const stopForwarding = forwardSignals(child, show);
    child.stdout?.on('data', (chunk) => chunks.push(chunk));
    child.stderr?.on('data', (chunk) => chunks.push(chunk));
    child.once('error', reject);
    child.once('close', (code) => {
      if (stopForwarding()) return reject(new Interruption('Interrupted.'));
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString('utf8') });
    });
  });
}

/** Forwards signals to the program. Returns a function that stops this and says whether a signal came. */
function forwardSignals(child, show) {
  let interrupted = false;
  let timer;
  const listeners = ['SIGTERM', 'SIGINT', 'SIGHUP'].map((signal) => {
    const listener = () => {
      interrupted = true;
      if (show) {
        // A program at the terminal gets Ctrl-C from the terminal.
        if (signal !== 'SIGINT') child.kill(signal);
        return;
      }
      signalGroup(child.pid, signal);
      // The TypeScript compiler ignores the first signal until it has finished.
      timer ??= setTimeout(() => signalGroup(child.pid, 'SIGKILL'), PATIENCE_MS);
    };
    process.on(signal, listener);
    return [signal, listener];
  });
  return () => {
    clearTimeout(timer);
    for (const [signal, listener] of listeners) process.off(signal, listener);
    return interrupted;
  };
}

function signalGroup(pid, signal) {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error; // The process group no longer exists.
  }
}

/** Runs a tool of node_modules with this very Node. */
export function runTool(script, parameters, options) {
  return run(process.execPath, [`node_modules/${script}`, ...parameters], options);
}

/** Ends the process. Expected errors are printed as one readable message, others with their stack. */
export function fail(error) {
  const foreseen = error instanceof StepError || error instanceof Interruption;
  console.error(foreseen ? `\n${error.message}` : error);
  process.exit(1);
}
