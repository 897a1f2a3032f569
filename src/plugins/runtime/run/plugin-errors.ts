import { SluiceError } from '../../../core/errors.js';
import type { Rejection } from './read-result.js';

/** The error has no stack: guards may reject many requests, and the stack would say nothing. */
export function rejectedByPlugin({ message, code, status }: Rejection): SluiceError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return new SluiceError('rejected_by_plugin', message, { clientCode: code, status });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** The message gives no reason, because a plugin's error can contain the content. */
export function pluginFailed(): SluiceError {
  return new SluiceError(
    'plugin_failed',
    'A plugin that guards this endpoint failed, so the request was stopped.',
  );
}

export function tooMuchText(): SluiceError {
  return new SluiceError(
    'request_too_large',
    'The request has more text than a plugin that guards this endpoint can check.',
  );
}
