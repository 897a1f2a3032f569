import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

export interface ChildOptions {
  name: string;
  command: string;
  arguments: string[];
  environment: NodeJS.ProcessEnv;
  /** The file to which its standard output and error are appended. It keeps working when the launcher dies. */
  logPath: string;
  /**
   * Whether it gets a process group of its own. The terminal's Ctrl-C then does not reach it, so that it lives until
   * the drain is done.
   */
  ownGroup: boolean;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A process that was started here. It is ended by its process id, never by name. */
export class Child {
  readonly name: string;
  readonly pid: number;
  readonly logPath: string;
  readonly exited: Promise<Exit>;
  #process: ChildProcess;
  #exit: Exit | undefined;
  #ownGroup: boolean;

  private constructor(options: ChildOptions, process: ChildProcess, pid: number) {
    this.name = options.name;
    this.pid = pid;
    this.logPath = options.logPath;
    this.#process = process;
    this.#ownGroup = options.ownGroup;
    this.exited = new Promise((resolve) => {
      process.once('exit', (code, signal) => {
        this.#exit = { code, signal };
        resolve(this.#exit);
      });
    });
  }

  /** Rejects where the program cannot be run at all. */
  static start(options: ChildOptions): Promise<Child> {
    const log = openSync(options.logPath, 'a');
    const process = spawn(options.command, options.arguments, {
      env: options.environment,
      stdio: ['ignore', log, log],
      detached: options.ownGroup,
    });
    closeSync(log);
    return new Promise((resolve, reject) => {
      process.once('error', reject);
      process.once('spawn', () => resolve(new Child(options, process, process.pid as number)));
    });
  }

  get exit(): Exit | undefined {
    return this.#exit;
  }

  get running(): boolean {
    return this.#exit === undefined;
  }

  signal(name: NodeJS.Signals): void {
    if (this.running) this.#process.kill(name);
  }

  /** Sends SIGTERM and, after `patienceMs`, SIGKILL to the process and its children. */
  async stop(patienceMs: number): Promise<Exit> {
    this.signal('SIGTERM');
    const timer = setTimeout(() => this.#killAll(), patienceMs);
    const exit = await this.exited;
    clearTimeout(timer);
    return exit;
  }

  /** The last lines of its output, to show why it died. */
  lastLines(count: number): string {
    return readFileSync(this.logPath, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  }

  #killAll(): void {
    if (!this.running) return;
    if (this.#ownGroup) process.kill(-this.pid, 'SIGKILL');
    else this.#process.kill('SIGKILL');
  }
}

export function describeExit(exit: Exit): string {
  return exit.signal === null ? `ended with code ${exit.code}` : `was ended by ${exit.signal}`;
}

/** The variables that any program needs, such as PATH, without our own keys. */
export function plainEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept: NodeJS.ProcessEnv = {};
  for (const name of ['PATH', 'HOME', 'TMPDIR', 'LANG', 'TZ', 'LD_LIBRARY_PATH']) {
    if (environment[name] !== undefined) kept[name] = environment[name];
  }
  return kept;
}
