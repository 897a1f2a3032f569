import type { Dialect } from '../../dialects/dialect.js';
import type { CachedAnswer } from '../../policy/cache/answer-cache.js';
import type { Attempt } from '../exchange/attempt.js';
import type { Exchange } from '../exchange/exchange.js';
import type { AnswerOutlet, Reply } from '../exchange/http.js';
import type { Services } from '../exchange/ports.js';
import { ResponseStage } from './response-stage.js';

type Finish = ConstructorParameters<typeof ResponseStage>[3];

/**
 * Answers a request from the cache as a model would have answered it: the answer is judged, shown to the response
 * plugins as they are configured now, and logged. No model is asked, so the log has no attempt.
 */
export async function replayAnswer(
  exchange: Exchange,
  cached: CachedAnswer<Dialect>,
  services: Services,
  reply: (reply: Reply) => void,
  finish: Finish,
): Promise<void> {
  exchange.move('forwarded');
  exchange.attempts.push(replayedAttempt(exchange, cached, services));
  const stage = new ResponseStage(exchange, services, new GatheredAnswer(reply), finish);
  await stage.onHead({ status: 200, headers: { 'content-type': cached.contentType } });
  await stage.onChunk(cached.body);
  await stage.onEnd();
}

function replayedAttempt(exchange: Exchange, cached: CachedAnswer<Dialect>, services: Services): Attempt {
  const { provider, model, dialect } = cached;
  const known = exchange.plan!.models.find(
    (choice) => choice.provider === provider && choice.model === model,
  );
  const now = services.clock.monotonic();
  return {
    number: 1,
    choice: known ?? { provider, model, structured_output: false },
    dialect,
    startedAt: now,
    traceparent: '',
    record: {
      provider,
      model,
      status: 'aborted',
      http_status: 200,
      error: null,
      duration_ms: 0,
      usage: null,
    },
    secrets: [],
    closed: false,
    answered: true,
    replayed: true,
  };
}

/** Collects the answer, because Envoy accepts the answer to a request that it did not forward only in one piece. */
class GatheredAnswer implements AnswerOutlet {
  readonly #pieces: Buffer[] = [];
  #status = 200;
  #headers: Record<string, string> = {};

  constructor(private readonly send: (reply: Reply) => void) {}

  head(status: number, set: Record<string, string>): void {
    this.#status = status;
    this.#headers = set;
  }

  body(bytes: Buffer): void {
    this.#pieces.push(bytes);
  }

  end(last?: Buffer): void {
    if (last !== undefined) this.#pieces.push(last);
    const body = Buffer.concat(this.#pieces).toString('utf8');
    this.send({ status: this.#status, headers: this.#headers, body });
  }

  reply(reply: Reply): void {
    this.send(reply);
  }
}
