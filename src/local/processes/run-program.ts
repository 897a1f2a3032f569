import { execFile } from 'node:child_process';

export interface RunResult {
  /** The exit code; null where the program could not be started or was ended by a signal. */
  code: number | null;
  started: boolean;
  stdout: string;
  /** Standard output followed by standard error. */
  output: string;
  /** Why the program failed, in its own words where it printed any; empty where it succeeded. */
  problem: string;
}

const MAX_OUTPUT_BYTES = 4 * 1024 * 1024;

export interface RunOptions {
  environment: NodeJS.ProcessEnv;
  /** The folder in which the program runs; by default that of this process. */
  cwd?: string;
  timeoutMs?: number;
  /** Ends the program when aborted. The result then says so. */
  signal?: AbortSignal;
}

/** Runs a short program to its end, with nothing on its standard input. Never rejects: a failure is part of the result. */
export function runProgram(command: string, parameters: string[], options: RunOptions): Promise<RunResult> {
  return new Promise((resolve) => {
    const settings = {
      env: options.environment,
      cwd: options.cwd,
      timeout: options.timeoutMs ?? 0,
      maxBuffer: MAX_OUTPUT_BYTES,
      encoding: 'utf8' as const,
      signal: options.signal,
    };
    const child = execFile(command, parameters, settings, (error, stdout, stderr) => {
      const output = `${stdout}${stderr}`;
      if (error === null) {
        resolve({ code: 0, started: true, stdout, output, problem: '' });
        return;
      }
      const started = error.code !== 'ENOENT' && error.code !== 'EACCES';
      resolve({
        code: typeof error.code === 'number' ? error.code : null,
        started,
        stdout,
        output,
        problem: started ? lastLines(output) || error.message : `${command} does not exist or cannot be run`,
      });
    });
    // The program gets an empty standard input, because one that reads it would wait without end. A program that
    // could not be started has no `stdin`.
    child.stdin?.end();
  });
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-4).join('\n');
}
