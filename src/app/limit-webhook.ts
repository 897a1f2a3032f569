import { createHmac } from 'node:crypto';
import type { Clock } from '../core/clock.js';
import type { Logger } from '../core/logger.js';
import type { LimitWebhook } from '../core/settings.js';
import type { CountedLimit } from '../policy/limits/ledger.js';

/** Told once each, for each window. */
const PERCENTS = [100, 80, 50] as const;
const TIMEOUT_MS = 5_000;
const TRIES = 3;
const RETRY_MS = 2_000;
/** More wait for nobody: what is full by then is full by others too. */
const MOST_WAITING = 100;

export interface LimitWebhookOptions {
  webhookOf(projectUid: string): LimitWebhook | undefined;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Tells a project's webhook when a budget (tokens or US dollars) is used by half, by 80 and by 100 percent. Beside the
 * requests. Engines that share a limit may each tell it: the `id` is the same.
 */
export class LimitWebhooks {
  #waiting = 0;

  constructor(private readonly options: LimitWebhookOptions) {}

  used(projectUid: string, met: readonly CountedLimit[]): void {
    for (const { limit, counter } of met) {
      if (limit.kind !== 'tokens' && limit.kind !== 'cost_usd') continue;
      const used = counter.usedByAll();
      const percent = PERCENTS.find((step) => used >= (limit.amount * step) / 100) ?? 0;
      if (percent <= counter.toldPercent) continue;
      counter.toldPercent = percent;
      const webhook = this.options.webhookOf(projectUid);
      if (webhook === undefined || this.#waiting >= MOST_WAITING) continue;
      const { per, window } = limit.limit;
      this.#waiting++;
      const told = {
        id: `${counter.key}/${counter.span?.start}/${percent}`,
        event: 'limit_used',
        project: projectUid,
        percent,
        limit: { per, kind: limit.kind, window, amount: limit.amount },
        used,
        at: new Date(this.options.clock.now()).toISOString(),
      };
      void this.#tell(webhook, JSON.stringify(told)).finally(() => this.#waiting--);
    }
  }

  async #tell(webhook: LimitWebhook, body: string): Promise<void> {
    const { env, logger } = this.options;
    const headers: Record<string, string> = { 'content-type': 'application/json' };
    const secret = webhook.hmac_key_env === undefined ? undefined : env[webhook.hmac_key_env];
    if (secret !== undefined) {
      headers['x-sluice-signature'] = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
    }
    for (let attempt = 1; ; attempt++) {
      try {
        const signal = AbortSignal.timeout(TIMEOUT_MS);
        const answer = await fetch(webhook.url, { method: 'POST', headers, body, signal, redirect: 'error' });
        await answer.body?.cancel();
        if (answer.ok) return;
        throw new Error(`it answered with status ${answer.status}`);
      } catch (err) {
        if (attempt === TRIES) {
          logger.warn({ err }, 'the webhook of a limit could not be told');
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS * attempt).unref());
      }
    }
  }
}
