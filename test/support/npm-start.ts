import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mainPath } from '../../src/local/parts/engine.js';
import { type PortReservation, reservePort } from '../../src/local/ports.js';
import type { Exit } from '../../src/local/processes/child.js';
import { runProgram } from '../../src/local/processes/run-program.js';
import { waitFor } from '../../src/local/processes/wait.js';
import { DEMO_KEY, DEMO_PROJECT } from '../../src/local/tour.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LAST_LINE = 'Ctrl-C lets running requests finish, then stops everything.';
const PATIENCE = { timeoutMs: 120_000 };

interface RunFile {
  launcher: { pid: number };
  parts: { name: string; pid: number }[];
}

/** A data directory and ports for `npm start`, which may run there several times in a row. */
export class StartPlace {
  readonly gatewayUrl: string;
  readonly adminUrl: string;
  readonly dataFolder: string;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #reservations: PortReservation[];
  readonly #runs: NpmStart[] = [];

  private constructor(folder: string, gateway: PortReservation, admin: PortReservation) {
    this.gatewayUrl = `http://127.0.0.1:${gateway.port}`;
    this.adminUrl = `http://127.0.0.1:${admin.port}`;
    this.dataFolder = folder;
    this.#reservations = [gateway, admin];
    this.#environment = {
      ...withoutOwnSettings(process.env),
      SLUICE_GATEWAY_PORT: String(gateway.port),
      SLUICE_ADMIN_PORT: String(admin.port),
      SLUICE_DATA_DIR: folder,
    };
  }

  static async create(): Promise<StartPlace> {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-start-'));
    return new StartPlace(folder, await reservePort(), await reservePort());
  }

  run(environment: NodeJS.ProcessEnv = {}): NpmStart {
    const run = new NpmStart({ ...this.#environment, ...environment }, this.dataFolder);
    this.#runs.push(run);
    return run;
  }

  /** Sends a request as a client of the demo project. */
  ask(content: string, { stream = false, model = 'demo' } = {}): Promise<Response> {
    return fetch(`${this.gatewayUrl}/${DEMO_PROJECT}/openai/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream, messages: [{ role: 'user', content }] }),
    });
  }

  /** Runs a `sluice` command beside it. The command gets only the data directory. */
  sluice(...parameters: string[]): Promise<{ code: number | null; stdout: string }> {
    const environment = { ...withoutOwnSettings(process.env), SLUICE_DATA_DIR: this.dataFolder };
    return runProgram(process.execPath, [mainPath, ...parameters], { environment });
  }

  /** Ends all runs that are still alive. */
  async remove(): Promise<void> {
    for (const run of this.#runs) {
      run.signal('SIGTERM');
      await run.exited;
    }
    for (const reservation of this.#reservations) await reservation.release();
    await rm(this.dataFolder, { recursive: true, force: true });
  }
}

/** One `npm start`, in a process group of its own, as a terminal would run it. */
export class NpmStart {
  readonly exited: Promise<Exit>;
  output = '';
  readonly #process: ChildProcess;
  readonly #dataFolder: string;

  constructor(environment: NodeJS.ProcessEnv, dataFolder: string) {
    this.#dataFolder = dataFolder;
    this.#process = spawn('npm', ['start'], {
      cwd: ROOT,
      env: environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.output += chunk.toString('utf8');
      });
    }
    this.exited = once(this.#process, 'close').then(([code, signal]) => ({ code, signal }));
  }

  /** Resolves once all parts are ready. Rejects with the output where the run ends before that. */
  async ready(): Promise<void> {
    const ended = this.exited.then((exit) => {
      throw new Error(`npm start ended with ${exit.code}:\n${this.output}`);
    });
    await Promise.race([ended, this.printed(LAST_LINE)]);
  }

  async printed(text: string): Promise<void> {
    await waitFor(`npm start prints ${text}`, () => this.output.includes(text), PATIENCE);
  }

  /** Sends a signal to npm alone. */
  signal(name: NodeJS.Signals): void {
    this.#process.kill(name);
  }

  /** Sends a signal to npm, its shell and the launcher, as a terminal does. */
  signalGroup(name: NodeJS.Signals): void {
    process.kill(-(this.#process.pid as number), name);
  }

  /** The process ids of the launcher (`launcher`) and of the parts, by their names. */
  pids(): Map<string, number> {
    const file = JSON.parse(readFileSync(join(this.#dataFolder, 'running.json'), 'utf8')) as RunFile;
    return new Map([
      ['launcher', file.launcher.pid],
      ...file.parts.map((part): [string, number] => [part.name, part.pid]),
    ]);
  }
}

/** Removes settings of the person who runs the tests. The variables with paths of programs stay. */
function withoutOwnSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const own = /^(SLUICE_|MONGODB_URI$|OTEL_)/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !own.test(name)));
}
