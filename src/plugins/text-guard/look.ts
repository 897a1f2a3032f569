import type { MaybePromise } from '../../core/pacing/maybe-promise.js';
import { recover, settle } from '../../core/pacing/maybe-promise.js';
import type { Steps } from '../../core/pacing/steps.js';
import { runSteps } from '../../core/pacing/steps.js';
import type { Late, PluginContext } from '../contract/plugin.js';
import type { PlacedText } from '../helpers/texts.js';
import type { KnownStandIns } from '../stand-ins/stand-ins.js';
import { NotSeen, type PlacedFound, type ScanLimits } from './found.js';
import type { PreparedGuard, Role } from './prepared-guard.js';
import { withoutStandIns } from './without-stand-ins.js';

export interface LookOptions {
  /** Whether the text is a piece of a stream that will not be scanned again. */
  passing?: boolean;
  /** Gets all findings, also those that do not count. */
  learn?(found: readonly PlacedFound[]): void;
}

/** Scans all texts and decides. A scan that did not finish in time is returned as `late`. */
export function look<Answer>(
  input: PluginContext<PreparedGuard>,
  texts: readonly PlacedText[],
  decide: (found: readonly PlacedFound[]) => MaybePromise<Answer>,
  roleOf: (place: string) => Role | undefined,
  { passing = false, learn }: LookOptions = {},
): MaybePromise<Answer | Late> {
  const { config, standIns } = input;
  const judge = (all: readonly PlacedFound[]) => {
    learn?.(all);
    return all.length === 0
      ? decide(all)
      : settle(runSteps(counting(config, all, texts, standIns, roleOf)), decide);
  };
  return recover(() => settle(config.engine.find(texts, new Limits(input, passing)), judge), late);
}

/** The signal is only created for the few scans that wait. */
class Limits implements ScanLimits {
  readonly timeoutMs: number;
  readonly exchange: object | undefined;
  readonly #input: PluginContext<PreparedGuard>;

  constructor(
    input: PluginContext<PreparedGuard>,
    readonly passing: boolean,
  ) {
    this.timeoutMs = input.timeoutMs;
    this.exchange = input.exchange;
    this.#input = input;
  }

  get signal(): AbortSignal {
    return this.#input.signal;
  }
}

export function late(thrown: unknown): Late {
  if (!(thrown instanceof NotSeen)) throw thrown;
  const { message, tooLarge } = thrown;
  return { action: 'late', reason: message, tooLarge };
}

/** The findings that count, after those that the guard drops. */
export function* counting(
  guard: PreparedGuard,
  all: readonly PlacedFound[],
  texts: readonly PlacedText[],
  standIns: KnownStandIns | undefined,
  roleOf: (place: string) => Role | undefined,
): Steps<readonly PlacedFound[]> {
  const found = yield* withoutStandIns(all, texts, standIns);
  return guard.keep === undefined ? found : yield* guard.keep(found, roleOf);
}
