import { type ErrorDetail, SluiceError } from '../../core/errors.js';
import { jsonValidationOf } from '../../core/settings.js';
import { modelKey } from '../../routing/plan.js';
import { withoutOutputNames } from '../../validation/output-names.js';
import type { Failure } from '../../validation/validation.js';
import type { Attempt } from '../exchange/attempt.js';
import type { Exchange } from '../exchange/exchange.js';
import { hasResponsePlugins } from '../exchange/response-guards.js';

/** The longest output that an error or log shows, in UTF-16 units. */
const MOST_OUTPUT = 65_536;

/** Whether the endpoint releases the last invalid answer, marked as invalid. */
export function releasesInvalid({ endpoint }: Exchange): boolean {
  return endpoint !== undefined && jsonValidationOf(endpoint)?.on_invalid === 'release';
}

/** Keeps the reason why an output is invalid for the next model, where the endpoint explains it. */
export function explain(exchange: Exchange, { path, message, output, call }: Failure): void {
  if (!exchange.endpoint?.explain_invalid || output === undefined) return;
  const problem = path === '' ? message : `${path}: ${message}`;
  exchange.chain.correction = { answer: output, problem, ...(call === undefined ? {} : { call }) };
}

/**
 * The part of a failure that may be shown. Response plugins never see an invalid output, so it must not be shown. A
 * log without messages must not contain names from it either.
 */
export function shownFailure(exchange: Exchange, failure: Failure): Failure {
  const { endpoint, plan } = exchange;
  if (!hasResponsePlugins(exchange) && endpoint?.log_content !== 'none') return failure;
  return withoutOutputNames(failure, plan?.contract?.schemas ?? []);
}

/** The error that ends an exchange with an invalid output; `visible` is the part of the failure that may be shown. */
export function invalidOutputError(exchange: Exchange, attempt: Attempt, visible: Failure): SluiceError {
  const { path, message, output } = visible;
  const place = path === '' ? '' : `at ${path}: `;
  const detail: ErrorDetail = { path, message };
  // Output that no response plugin has checked is not shown.
  const shown = jsonValidationOf(exchange.endpoint!)?.include_invalid && !hasResponsePlugins(exchange);
  if (shown && output !== undefined) detail.output = output.slice(0, MOST_OUTPUT);
  return new SluiceError(
    'output_validation_failed',
    `The output of ${modelKey(attempt.choice)} does not satisfy the JSON Schema: ${place}${message}`,
    { details: [detail] },
  );
}

/** The output for the log; undefined where response plugins would have had to check it. */
export function loggedOutput(exchange: Exchange, { output }: Failure): { output?: string } {
  const kept = exchange.endpoint?.log_content;
  if (output === undefined || kept === 'none') return {};
  if (kept !== 'full' && hasResponsePlugins(exchange)) return {};
  return { output: output.slice(0, MOST_OUTPUT) };
}

/** Why an output is invalid, without the values that stand-ins replace in the log and for the next model. */
export function hideInFailure(exchange: Exchange, failure: Failure): Failure {
  const { standIns, plan } = exchange;
  if (standIns.size === 0) return failure;
  const { path, message, output } = withoutOutputNames(failure, plan?.contract?.schemas ?? []);
  return { path: standIns.hide(path), message: standIns.hide(message), output };
}
