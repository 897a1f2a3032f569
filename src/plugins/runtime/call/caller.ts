import type { Clock } from '../../../core/clock.js';
import type { MaybePromise } from '../../../core/pacing/maybe-promise.js';
import { settle } from '../../../core/pacing/maybe-promise.js';
import type { HostContext, PreparedPlugin } from '../prepare/prepared-plugin.js';
import { type Called, callWithDeadline, type PluginFunction } from './call-with-deadline.js';
import type { IsolatedCalls } from './isolated-calls.js';
import { LazyInput } from './lazy-input.js';

/** The result of a call and its duration. */
export interface TimedCall {
  called: Called;
  durationMs: number;
}

/**
 * Calls plugin functions: in this thread or, where the entry says `isolate`, in a thread that can be terminated. A
 * plugin that keeps its own time always runs here, because it starts threads itself where it needs them.
 */
export class Caller {
  readonly #clock: Clock;
  readonly #isolated: IsolatedCalls;

  constructor(clock: Clock, isolated: IsolatedCalls) {
    this.#clock = clock;
    this.#isolated = isolated;
  }

  /**
   * Calls one function. `context` is what plugins may see of the exchange. The members of `content` are added to it
   * and must not be modifiable.
   */
  call(
    prepared: PreparedPlugin,
    name: PluginFunction,
    context: HostContext,
    content: object,
  ): MaybePromise<TimedCall> {
    const start = this.#clock.monotonic();
    const timed = (called: Called): TimedCall => ({ called, durationMs: this.#clock.monotonic() - start });
    const called =
      prepared.entry.isolate && !prepared.plugin.keepsTime
        ? this.#isolated.call(prepared, name, context, content)
        : callHere(prepared, name, context, content);
    return settle(called, timed);
  }
}

function callHere(
  { plugin, entry, config }: PreparedPlugin,
  name: PluginFunction,
  context: HostContext,
  content: object,
): MaybePromise<Called> {
  const timeoutMs = entry.timeout_ms;
  // The caller of this method built `content` with the contract's type for the function `name`.
  const ask = (input: object) => (plugin[name] as (input: unknown) => unknown).call(plugin, input);
  if (plugin.keepsTime) {
    // Without a deadline, only a disconnecting client ends a call.
    const input = Object.assign(new LazyInput(config, timeoutMs, context), content);
    return callWithDeadline(() => ask(input), { timeoutMs: undefined, context }, nothingToAbort);
  }
  const controller = new AbortController();
  const { requestId, endpoint, metadata, headers, standIns, exchange } = context;
  const { signal } = controller;
  // The spread comes last: in front of this many members it would be a hundred times slower.
  const input = {
    config,
    requestId,
    endpoint,
    metadata,
    headers,
    signal,
    timeoutMs,
    standIns,
    exchange,
    ...content,
  };
  return callWithDeadline(
    () => ask(input),
    { timeoutMs, context },
    () => controller.abort(),
  );
}

function nothingToAbort(): void {}
