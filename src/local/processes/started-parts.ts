import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identityOf, isRunning, type ProcessIdentity } from '../../process/process-identity.js';
import { StartError } from './start-error.js';
import { waitFor } from './wait.js';

interface Recorded extends ProcessIdentity {
  name: string;
}

interface RunFile {
  launcher: ProcessIdentity;
  parts: Recorded[];
}

const PATIENCE_MS = 30_000;

/**
 * A file in the data directory that lists the launcher and the processes that it started. A launcher that was killed
 * leaves its parts behind; the next one finds them here and ends them. The start time distinguishes a part from
 * another process with the same id.
 */
export class StartedParts {
  readonly #path: string;
  readonly #parts = new Map<string, Recorded>();

  constructor(dataFolder: string) {
    this.#path = join(dataFolder, 'running.json');
  }

  /**
   * Claims the data directory. Throws where another launcher uses it, and ends the parts that a dead launcher left
   * behind.
   */
  async claim(report: (line: string) => void): Promise<void> {
    const before = this.#read();
    if (before !== undefined && isRunning(before.launcher)) {
      throw new StartError(
        `Sluice already runs on this data directory, as process ${before.launcher.pid}.\n` +
          'What you can do:\n  - end that process (Ctrl-C in its terminal)\n' +
          '  - set SLUICE_DATA_DIR, SLUICE_GATEWAY_PORT and SLUICE_ADMIN_PORT for a second instance',
      );
    }
    for (const part of before?.parts.reverse() ?? []) {
      if (isRunning(part)) await endLeftover(part, report);
    }
    this.#write();
  }

  add(name: string, pid: number): void {
    const identity = identityOf(pid);
    if (identity === undefined) return; // It is gone already, and so needs no ending.
    this.#parts.set(name, { name, ...identity });
    this.#write();
  }

  release(): void {
    rmSync(this.#path, { force: true });
  }

  #read(): RunFile | undefined {
    if (!existsSync(this.#path)) return undefined;
    return JSON.parse(readFileSync(this.#path, 'utf8')) as RunFile;
  }

  #write(): void {
    const launcher = identityOf(process.pid) as ProcessIdentity;
    const content: RunFile = { launcher, parts: [...this.#parts.values()] };
    // The file is replaced by a rename, so that it is complete even if the launcher is killed meanwhile.
    writeFileSync(`${this.#path}.new`, JSON.stringify(content));
    renameSync(`${this.#path}.new`, this.#path);
  }
}

async function endLeftover(part: Recorded, report: (line: string) => void): Promise<void> {
  report(`ending ${part.name} (process ${part.pid}), which an earlier run left behind`);
  process.kill(part.pid, 'SIGTERM');
  try {
    await waitFor(`${part.name} ends`, () => !isRunning(part), { timeoutMs: PATIENCE_MS });
  } catch {
    process.kill(part.pid, 'SIGKILL');
    await waitFor(`${part.name} ends`, () => !isRunning(part), { timeoutMs: PATIENCE_MS });
  }
}
