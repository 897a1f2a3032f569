import { createHmac } from 'node:crypto';
import type { Clock } from '../core/clock.js';
import type { Logger } from '../core/logger.js';
import type { LimitWebhook } from '../core/settings.js';
import type { CountedLimit } from '../policy/limits/ledger.js';

/** Each of these percentages is reported once per window. */
const PERCENTS = [100, 80, 50] as const;
const TIMEOUT_MS = 5_000;
const TRIES = 3;
const RETRY_MS = 2_000;
/** The most calls in progress. Further reports wait for the next request that the limit counts. */
const MOST_WAITING = 100;

export interface LimitWebhookOptions {
  webhookOf(projectUid: string): LimitWebhook | undefined;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Calls a project's webhook when 50, 80 and 100 percent of a budget (tokens or US dollars) are used. No request waits
 * for it. Engines that share a limit may each report the same step; their reports have the same `id`.
 */
export class LimitWebhooks {
  #waiting = 0;

  constructor(private readonly options: LimitWebhookOptions) {}

  used(projectUid: string, met: readonly CountedLimit[]): void {
    for (const { limit, counter } of met) {
      if (limit.kind !== 'tokens' && limit.kind !== 'cost_usd') continue;
      const used = counter.usedByAll();
      const percent = PERCENTS.find((step) => used >= (limit.amount * step) / 100) ?? 0;
      if (percent <= counter.reportedPercent) continue;
      const webhook = this.options.webhookOf(projectUid);
      if (webhook === undefined || this.#waiting >= MOST_WAITING) continue;
      counter.reportedPercent = percent;
      const { per, window } = limit.limit;
      this.#waiting++;
      const event = {
        id: `${counter.key}/${counter.span?.start}/${limit.amount}/${percent}`,
        event: 'limit_used',
        project: projectUid,
        percent,
        limit: { per, kind: limit.kind, window, amount: limit.amount },
        used,
        at: new Date(this.options.clock.now()).toISOString(),
      };
      void this.#post(webhook, JSON.stringify(event)).finally(() => this.#waiting--);
    }
  }

  async #post(webhook: LimitWebhook, body: string): Promise<void> {
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
          logger.warn({ err }, `the webhook of a limit failed ${TRIES} times; its report is dropped`);
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS * attempt).unref());
      }
    }
  }
}
