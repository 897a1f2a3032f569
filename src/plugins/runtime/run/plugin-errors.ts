import { SluiceError } from '../../../core/errors.js';
import type { Rejection } from './read-result.js';

/** It has no stack: guards that observe may reject each request several times, and where it is made says nothing. */
export function rejectedByPlugin({ message, code, status }: Rejection): SluiceError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return new SluiceError('rejected_by_plugin', message, { clientCode: code, status });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Says nothing of why: a plugin's error can hold what it looked at. */
export function pluginFailed(): SluiceError {
  return new SluiceError(
    'plugin_failed',
    'A plugin that guards this endpoint did not work, so nothing was let through.',
  );
}

export function tooMuchText(): SluiceError {
  return new SluiceError(
    'request_too_large',
    'The request holds more text than a plugin that guards this endpoint looks at.',
  );
}
