import { AdminClient, type AdminClientOptions, AdminRefusal } from '../../admin-client/admin-client.js';
import { isJsonObject, type JsonObject } from '../../core/json.js';
import { type Delivery, NotReached, type Refusal } from '../deliver.js';
import type { Entry } from '../entry.js';
import { encodeBatch } from './batch.js';

const LOGS_PATH = 'api/logs';
/** How long an answer may take: longer than the service itself waits for MongoDB. */
const ANSWER_MS = 60_000;
const PING_MS = 2_000;
const MAX_ANSWER_BYTES = 4 * 1024 * 1024;
/** Enough for the worker's own spool and those of workers that no longer run. */
const CONNECTIONS = 4;
/** Statuses that concern the batch and not the service. */
const ABOUT_THE_BATCH = new Set([400, 413, 500]);

/** Sends logs to an admin service, which writes them to MongoDB. */
export class AdminDelivery {
  readonly #client: AdminClient;

  constructor(options: Omit<AdminClientOptions, 'connections'>) {
    this.#client = new AdminClient({ ...options, connections: CONNECTIONS });
  }

  /** Sends a batch of the spool. Resolves once the service says that MongoDB has it. */
  deliver = async (entries: readonly Entry[]): Promise<Delivery> => {
    const body = await encodeBatch(entries);
    return readDelivery(await this.#post(body, ANSWER_MS), entries.length, this.#client.origin);
  };

  /** Resolves where logs could be stored now. It sends an empty batch to find out. */
  async ping(): Promise<void> {
    await this.#post(Buffer.alloc(0), PING_MS);
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #post(body: Buffer, answerMs: number): Promise<JsonObject> {
    const headers = { 'content-type': 'application/octet-stream' };
    const call = { method: 'POST', path: LOGS_PATH, headers, body, answerMs, silenceMs: answerMs } as const;
    try {
      return await this.#client.callForObject(call, MAX_ANSWER_BYTES);
    } catch (error) {
      throw this.#explain(error);
    }
  }

  #explain(error: unknown): Error {
    const message = `${this.#client.origin} did not accept logs: ${(error as Error).message}`;
    const status = error instanceof AdminRefusal ? error.status : undefined;
    if (status !== undefined && ABOUT_THE_BATCH.has(status)) return new Error(message, { cause: error });
    const hint = status === 404 ? '; is it an admin service of this version?' : '';
    return new NotReached(`${message}${hint}`, { cause: error });
  }
}

/** Reads the service's answer. Throws where it is not that of an admin service, because nobody then knows what was stored. */
function readDelivery({ stored, refused }: JsonObject, count: number, origin: string): Delivery {
  const isCount = (value: unknown, limit: number) =>
    Number.isInteger(value) && (value as number) >= 0 && (value as number) < limit;
  const isRefusal = (value: unknown) =>
    isJsonObject(value) && isCount(value.index, count) && typeof value.reason === 'string';
  if (!isCount(stored, count + 1) || !Array.isArray(refused) || !refused.every(isRefusal)) {
    throw new NotReached(`${origin} did not accept logs: its answer does not report them`);
  }
  // The types of both were checked above.
  return { stored: stored as number, refused: refused as unknown as Refusal[] };
}
