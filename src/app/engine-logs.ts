import type { EngineLogs } from '../admin/dependencies.js';
import { SluiceError } from '../core/errors.js';
import type { LogPhase } from '../pipeline/end/log-phase.js';
import { type Delivery, deliverTo } from '../spool/deliver.js';
import { BrokenBatch } from '../spool/remote/batch.js';
import { takeBatch } from '../spool/remote/intake.js';
import type { Store } from '../store/store.js';

/** Writes the logs that engines send here to MongoDB. */
export class EngineLogIntake implements EngineLogs {
  #watches = false;

  /**
   * `logPhase` resumes unfinished LOG phases from the first batch on, because engines that send their logs here
   * cannot look for them. Absent where an engine in this process does so.
   */
  constructor(
    private readonly store: Pick<Store, 'logs' | 'ping'>,
    private readonly logPhase?: LogPhase,
  ) {}

  /** Takes a batch. An empty one asks only whether others could be written now. */
  async take(batch: Buffer): Promise<Delivery> {
    const { logs } = this.store;
    if (batch.length === 0) await this.store.ping();
    try {
      const delivery = await takeBatch(batch, deliverTo(logs));
      if (!this.#watches) this.logPhase?.watch(logs);
      this.#watches = true;
      return delivery;
    } catch (error) {
      if (!(error instanceof BrokenBatch)) throw error;
      throw new SluiceError('invalid_request', `The batch cannot be read: ${error.message}.`);
    }
  }

  async stop(): Promise<void> {
    await this.logPhase?.stop();
  }
}

/** How amendments of logs reach MongoDB in the process that writes to it. */
export function sinkOf(logs: Store['logs']): ConstructorParameters<typeof LogPhase>[0]['sink'] {
  return {
    amend: async (amendment) => {
      await logs.amend(amendment);
    },
  };
}
