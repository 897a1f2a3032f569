import { attemptHeaders } from '../attempt/attempt-outcome.js';
import { isSuccess } from '../attempt/read/answer-collector.js';
import { hideSecrets } from '../attempt/read/provider-secrets.js';
import type { Exchange } from '../exchange/exchange.js';
import type { AnswerHead, AnswerOutlet, Headers } from '../exchange/http.js';
import { requestIds } from '../exchange/replies.js';

/** Headers of a provider's answer that are no longer true once the gateway has written it. */
const STALE_HEADERS = [
  'content-encoding',
  'x-sluice-model',
  'x-sluice-attempts',
  'x-sluice-valid',
  'x-sluice-left-out',
  'x-sluice-cache',
  'x-sluice-estimated',
  'x-inference-log-id',
];

/** The head of an answer or error that has the provider's status. */
export function writeHead(
  outlet: AnswerOutlet,
  exchange: Exchange,
  { status, headers }: AnswerHead,
  own: Record<string, string>,
): void {
  const redacted = isSuccess(status) ? {} : withoutSecrets(headers, exchange.currentAttempt?.secrets ?? []);
  const set = { ...redacted, ...own, ...requestIds(exchange.id, headers), ...attemptHeaders(exchange, true) };
  outlet.head(status, set, STALE_HEADERS);
}

/** The headers of a provider's error without the credentials that they repeat. */
function withoutSecrets(headers: Headers, secrets: readonly string[]): Record<string, string> {
  const changed = Object.entries(headers).map(
    ([name, value]) => [name, value, hideSecrets(value, secrets)] as const,
  );
  return Object.fromEntries(
    changed.filter(([, came, redacted]) => came !== redacted).map(([name, , redacted]) => [name, redacted]),
  );
}
