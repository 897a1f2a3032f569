import { isJsonObject } from '../../../core/json.js';
import type { MaybePromise } from '../../../core/pacing/maybe-promise.js';
import { boundedReason, reasonOf } from '../../contract/fault.js';

/** The functions of a plugin that the host calls. */
export type PluginFunction = 'request' | 'response' | 'responseWindow' | 'log';

/** How a call of a plugin's function ended. `disconnected`: the client disconnected while it ran. */
export type Called =
  | { end: 'returned'; value: unknown }
  | { end: 'error'; reason: string }
  /** `tooLarge`: more time would not have helped. */
  | { end: 'timeout'; reason: string; tooLarge?: boolean }
  | { end: 'disconnected' };

interface Deadline {
  /** The deadline; undefined where the plugin keeps its own time. */
  timeoutMs: number | undefined;
  /** Its signal is aborted when the client has disconnected. */
  context: { readonly signal: AbortSignal };
}

/**
 * Calls a plugin's function under its deadline. A synchronous function costs neither a timer nor a turn of the event
 * loop. A promise is ignored after its deadline.
 */
export function callWithDeadline(
  call: () => unknown,
  deadline: Deadline,
  abort: () => void,
): MaybePromise<Called> {
  let value: unknown;
  try {
    value = call();
  } catch (thrown) {
    return { end: 'error', reason: reasonOf(thrown) };
  }
  return isPromiseLike(value) ? untilDeadline(value, deadline, abort) : returned(value);
}

/** A result of `late` counts like a deadline that has passed. */
function returned(value: unknown): Called {
  if (!isJsonObject(value) || value.action !== 'late') return { end: 'returned', value };
  const { reason, tooLarge } = value;
  const given = typeof reason === 'string' ? reason : 'it did not finish within its timeout';
  return { end: 'timeout', reason: boundedReason(given), tooLarge: tooLarge === true };
}

export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function untilDeadline(
  promise: PromiseLike<unknown>,
  deadline: Deadline,
  abort: () => void,
): Promise<Called> {
  const { signal } = deadline.context;
  return new Promise((resolve) => {
    const end = (called: Called) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onDisconnect);
      resolve(called);
    };
    const onDisconnect = () => {
      abort();
      end({ end: 'disconnected' });
    };
    const { timeoutMs } = deadline;
    const onLate = () => {
      abort();
      end({ end: 'timeout', reason: `gave no result within ${timeoutMs} ms` });
    };
    const timer = timeoutMs === undefined ? undefined : setTimeout(onLate, timeoutMs);
    signal.addEventListener('abort', onDisconnect, { once: true });
    if (signal.aborted) onDisconnect();
    promise.then(
      (value) => end(returned(value)),
      (thrown) => end({ end: 'error', reason: reasonOf(thrown) }),
    );
  });
}
