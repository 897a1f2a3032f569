import { spawn } from 'node:child_process';

/** How long a program may take to end once it was interrupted. */
const GRACE_MS = 5_000;

/**
 * Runs a program as a terminal does. What it printed, on both outputs. `signal` is the user's Ctrl-C: like that, it
 * reaches the processes that the program started too.
 */
export function runInGroup(
  command: string,
  parameters: readonly string[],
  options: { environment: NodeJS.ProcessEnv; cwd: string; timeoutMs: number; signal?: AbortSignal },
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const { environment: env, cwd, timeoutMs, signal } = options;
    const child = spawn(command, parameters, { env, cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
    const kill = (name: NodeJS.Signals) => {
      try {
        process.kill(-child.pid!, name);
      } catch {
        // The group has ended by itself.
      }
    };
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    const timers = [setTimeout(() => kill('SIGKILL'), timeoutMs)];
    const interrupt = () => {
      kill('SIGINT');
      timers.push(setTimeout(() => kill('SIGKILL'), GRACE_MS));
    };
    signal?.addEventListener('abort', interrupt, { once: true });
    child.once('error', reject);
    child.once('close', (code) => {
      for (const timer of timers) clearTimeout(timer);
      // Nothing that it started stays behind.
      kill('SIGKILL');
      resolve({ code, output });
    });
  });
}
