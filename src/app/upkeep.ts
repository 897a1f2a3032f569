import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../core/logger.js';
import type { LiveDirectory } from '../directory/directory.js';
import type { Store } from '../store/store.js';

const INDEX_RETRY_MS = 5_000;

/** Keeps the database in order: indexes, retention, counts and late feedback. Any number of processes may do so. */
export class Upkeep {
  readonly #maintenance: ReturnType<Store['maintain']>;
  readonly #stopping = new AbortController();

  static start(store: Store, directory: LiveDirectory, logger: Logger): Upkeep {
    return new Upkeep(store, directory, logger);
  }

  private constructor(
    private readonly store: Store,
    directory: LiveDirectory,
    private readonly logger: Logger,
  ) {
    void this.#ensureIndexes();
    this.#maintenance = store.maintain(() => retentionRules(directory));
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#maintenance.stop();
  }

  /** Repeats the attempt, because MongoDB may become available only after this process. */
  async #ensureIndexes(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await this.store.ensureIndexes();
        return;
      } catch (err) {
        if (signal.aborted) return;
        this.logger.warn({ err }, 'MongoDB indexes cannot be created yet');
        await sleep(INDEX_RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}

function retentionRules(directory: LiveDirectory) {
  return directory
    .projects()
    .flatMap(({ uid, retention_days: days }) => (days === undefined ? [] : [{ project_uid: uid, days }]));
}
