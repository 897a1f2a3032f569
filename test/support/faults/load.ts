import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '../../../src/local/processes/wait.js';
import { type Gateway, PROJECT } from '../gateway.js';

/** How long a client waits before it tries again. */
const RETRY_MS = 20;
const PATIENCE_MS = 60_000;

/** What clients received, so that it must be in MongoDB. */
export interface Given {
  /** The log ids of complete answers, by the client's own request id. */
  answers: Map<string, string>;
  /** The ids of feedback by log id. A log gets at most one feedback. */
  feedback: Map<string, string>;
}

export interface LoadCounts {
  plain: number;
  streams: number;
  /** The number of requests that were refused with `spool_full`. */
  refused: number;
  /** The number of requests that failed in any other way. */
  broken: number;
}

/**
 * Clients that send requests without a pause, plain and streamed in turn, and give feedback on every second answer. Every
 * second feedback is repeated with its Idempotency-Key until it is acknowledged; the others are sent once.
 */
export class Load {
  readonly given: Given = { answers: new Map(), feedback: new Map() };
  readonly counts: LoadCounts = { plain: 0, streams: 0, refused: 0, broken: 0 };
  readonly #gateway: Gateway;
  readonly #clients: Promise<void>[];
  readonly #feedback = new Set<Promise<void>>();
  #sent = 0;
  #stopping = false;

  constructor(gateway: Gateway, clients: number) {
    this.#gateway = gateway;
    this.#clients = Array.from({ length: clients }, () => this.#client());
  }

  /** Resolves after `count` more answers have arrived completely. */
  async moreAnswers(count: number): Promise<void> {
    await this.#more('answers', count);
  }

  /** Resolves after `count` more feedback signals were acknowledged. */
  async moreFeedback(count: number): Promise<void> {
    await this.#more('feedback', count);
  }

  /** Resolves once nothing is in progress: all answers have ended, and all repeated feedback is acknowledged. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#clients);
    await Promise.all(this.#feedback);
  }

  #more(what: keyof Given, count: number): Promise<true> {
    const enough = this.given[what].size + count;
    const look = () => this.given[what].size >= enough;
    return waitFor(`${count} more ${what}`, look, { timeoutMs: PATIENCE_MS, intervalMs: 5 }) as Promise<true>;
  }

  async #client(): Promise<void> {
    while (!this.#stopping) {
      const number = this.#sent++;
      const id = number % 2 === 0 ? await this.#askPlain() : await this.#askStream();
      if (id === undefined) await sleep(RETRY_MS);
      else if (number % 4 < 2) this.#give(id, number % 8 < 4);
    }
  }

  /** Sends a plain request. Resolves with the log id, or with undefined where the answer did not arrive completely. */
  async #askPlain(): Promise<string | undefined> {
    const requestId = randomUUID();
    const answer = await this.#gateway
      .ask({}, { headers: { 'x-client-request-id': requestId } })
      .catch(() => undefined);
    if (answer?.status === 200 && answer.json.inference_log_id === answer.id) {
      this.counts.plain++;
      this.given.answers.set(requestId, answer.id);
      return answer.id;
    }
    this.#failed(answer?.text ?? '');
    return undefined;
  }

  async #askStream(): Promise<string | undefined> {
    const requestId = randomUUID();
    const response = await this.#gateway
      .open({ stream: true }, { headers: { 'x-client-request-id': requestId } })
      .catch(() => undefined);
    const text = response === undefined ? '' : await textUntilBroken(response);
    if (response?.status === 200 && text.endsWith('data: [DONE]\n\n')) {
      const id = response.headers.get('x-inference-log-id')!;
      this.counts.streams++;
      this.given.answers.set(requestId, id);
      return id;
    }
    this.#failed(text);
    return undefined;
  }

  #failed(text: string): void {
    if (text.includes('spool_full')) this.counts.refused++;
    else this.counts.broken++;
  }

  #give(logId: string, repeated: boolean): void {
    const giving = repeated ? this.#feedbackUntilTaken(logId) : this.#feedbackOnce(logId);
    this.#feedback.add(giving);
    // `stop` waits for this promise too, and reports feedback that is repeated in vain.
    giving.then(
      () => this.#feedback.delete(giving),
      () => undefined,
    );
  }

  async #feedbackUntilTaken(logId: string): Promise<void> {
    const key = randomUUID();
    await waitFor(
      `feedback on ${logId} is acknowledged`,
      async () => {
        await this.#feedbackOnce(logId, { 'idempotency-key': key });
        return this.given.feedback.has(logId);
      },
      { timeoutMs: PATIENCE_MS, intervalMs: 250 },
    );
  }

  async #feedbackOnce(logId: string, headers: Record<string, string> = {}): Promise<void> {
    const body = { score: 1, weight: 0.5 };
    const answer = await this.#gateway
      .call('POST', `/${PROJECT}/feedback/${logId}`, { body, headers })
      .catch(() => undefined);
    if (answer?.status === 200) this.given.feedback.set(logId, answer.json.id);
  }
}

/** The part of the body that arrived, also where the connection broke. */
async function textUntilBroken(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of response.body!) text += decoder.decode(bytes, { stream: true });
  } catch {
    // A client that has read the stream's last event has the whole answer, even if the connection breaks afterwards.
  }
  return text;
}
