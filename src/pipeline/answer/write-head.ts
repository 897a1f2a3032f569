import { attemptHeaders } from '../attempt/attempt-outcome.js';
import type { Exchange } from '../exchange.js';
import type { AnswerHead, AnswerOutlet } from '../http.js';
import { requestIds } from '../replies.js';

/** Headers of a provider's answer that say nothing true any more once we wrote it. */
const STALE_HEADERS = [
  'content-encoding',
  'x-sluice-model',
  'x-sluice-attempts',
  'x-sluice-valid',
  'x-sluice-estimated',
  'x-inference-log-id',
];

/** The head of an answer that goes out with a provider's status. `answered`: a model's own answer goes out. */
export function writeHead(
  outlet: AnswerOutlet,
  exchange: Exchange,
  { status, headers }: AnswerHead,
  own: Record<string, string>,
  answered: boolean,
): void {
  const set = { ...own, ...requestIds(exchange.id, headers), ...attemptHeaders(exchange, answered) };
  outlet.head(status, set, STALE_HEADERS);
}
