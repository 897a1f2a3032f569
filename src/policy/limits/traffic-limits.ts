import type { Project } from '../../core/directory.js';
import type { LogLimit, LogUsage } from '../../core/log-record.js';
import type { TrafficLimit } from '../../core/settings.js';
import type { Counter, Standing } from './counter.js';
import { type Actual, type CountedLimit, type Decision, type Estimate, Ledger } from './ledger.js';
import { limitIdOf, type PreparedLimit, prepareLimits, type RequestFacts } from './limit.js';
import { OutputEstimates } from './output-estimates.js';

/** What a request is expected to use. */
export interface ExpectedUse {
  /** Whether the chain has another model. */
  hasNext: boolean;
  /** Set where tokens or dollars are limited. */
  tokens?: {
    input: number;
    /** The greatest length of one answer in tokens, where the request sets it. */
    maxOutput?: number;
    /** The number of requested answers. */
    choices: number;
    /** The US dollars for this many tokens; null where the model has no price. */
    costOf(inputTokens: number, outputTokens: number): number | null;
  };
}

/** The members of a project that are needed here. */
export type LimitedProject = Pick<Project, 'uid' | 'limits'>;

/** Is informed of how full budgets are, without delaying a request. */
export interface LimitObserver {
  /** Called when the usage of these limits has changed. */
  used(projectUid: string, met: readonly CountedLimit[]): void;
}

export interface TrafficLimitsOptions {
  /** An id of this engine that survives restarts. */
  engine: string;
  /** Whether the engine has several processes. */
  parted: boolean;
  /** The leases of shared limits; absent where there is no store for them. */
  leases?: { changed(counter: Counter): void; readonly standing: Standing };
  observer?: LimitObserver;
}

/** The limits and budgets of an engine: asked before a request continues, and informed when its exchange has ended. */
export class TrafficLimits {
  readonly ledger: Ledger;
  readonly #outputs = new OutputEstimates();

  constructor(private readonly options: TrafficLimitsOptions) {
    const { leases } = options;
    this.ledger = new Ledger({
      onShared: (counter) => leases?.changed(counter),
      ...(leases === undefined ? {} : { standing: () => leases.standing }),
    });
  }

  /** The engine's id, by which it finds its own logs again. */
  get engine(): string {
    return this.options.engine;
  }

  prepare(projectUid: string, limits: readonly TrafficLimit[]): readonly PreparedLimit[] {
    return prepareLimits(projectUid, limits, this.options.parted);
  }

  /** Drops the counters of limits that no project has any more. */
  keepOnly(projects: readonly LimitedProject[]): void {
    this.ledger.keepOnly(new Set(this.#limitsById(projects).keys()));
  }

  /** Opens the counters with these keys, so that other processes of the engine learn what they have counted. */
  open(projects: readonly LimitedProject[], keys: readonly string[], now: number): void {
    const limits = this.#limitsById(projects);
    for (const key of keys) {
      const limit = limits.get(limitIdOf(key));
      if (limit !== undefined) this.ledger.counter(key, limit, now);
    }
  }

  #limitsById(projects: readonly LimitedProject[]): Map<string, PreparedLimit> {
    const all = projects.flatMap(({ uid, limits = [] }) => this.prepare(uid, limits));
    return new Map(all.map((limit) => [limit.id, limit]));
  }

  /** Decides on a request. `now` is in epoch milliseconds. */
  admit(
    limits: readonly TrafficLimit[],
    facts: RequestFacts,
    { hasNext, tokens }: ExpectedUse,
    now: number,
  ): Admission {
    const endpoint = `${facts.projectUid}/${facts.endpoint}`;
    const estimate: Estimate = { requests: 1, concurrent: 1, tokens: 0, cost_usd: 0 };
    if (tokens !== undefined) {
      const output = this.#outputs.estimate(endpoint, tokens.maxOutput) * tokens.choices;
      estimate.tokens = tokens.input + output;
      estimate.cost_usd = tokens.costOf(tokens.input, output) ?? 0;
    }
    const prepared = this.prepare(facts.projectUid, limits);
    const decision = this.ledger.admit(prepared, facts, estimate, { hasNext, now });
    return new Admission(decision, (actual) => {
      if (tokens !== undefined && actual.outputTokens !== undefined) {
        this.#outputs.learn(endpoint, actual.outputTokens);
      }
      this.ledger.settle(decision.met, estimate, actual);
      this.options.observer?.used(facts.projectUid, decision.met);
    });
  }
}

/** How full a limit is, for the subject that has used most of it. */
export interface LimitFullness {
  project: string;
  per: string;
  kind: string;
  window: string;
  /** The used share; 1 where the limit is reached. */
  ratio: number;
}

/**
 * Of the limits with the same labels, the one that is fullest. Neither the subject nor the amount of a limit is a
 * label of a metric, so a limit that warns and one that rejects may have the same labels.
 */
export function fullness(ledger: Ledger, now: number): LimitFullness[] {
  const fullest = new Map<string, LimitFullness>();
  for (const counter of ledger.counters(now)) {
    const { limit, kind, amount, projectUid: project } = counter.limit;
    const { per, window = 'none' } = limit;
    const ratio = counter.usedByAll() / amount;
    const labels = JSON.stringify([project, per, kind, window]);
    if ((fullest.get(labels)?.ratio ?? -1) >= ratio) continue;
    fullest.set(labels, { project, per, kind, window, ratio });
  }
  return [...fullest.values()];
}

interface Settled extends Actual {
  /** The output tokens of a complete answer, from which the estimates learn. */
  outputTokens?: number;
}

/** The limits' decision on one exchange. Its reservations are released once, at its end. */
export class Admission {
  #open: boolean;

  constructor(
    readonly decision: Decision,
    private readonly onSettled: (actual: Settled) => void,
  ) {
    this.#open = decision.refusal === undefined;
  }

  /** Called when the log is written, with its `usage` and `cost`. Where these are null, nothing is counted. */
  settle(usage: LogUsage | null, cost: number | null, whole: boolean): void {
    const tokens = usage === null ? 0 : usage.input_tokens + usage.output_tokens;
    const outputTokens = whole && usage !== null ? usage.output_tokens : undefined;
    this.#end({ requests: 1, tokens, cost_usd: cost ?? 0, outputTokens });
  }

  /** Counts nothing for an exchange that has no log. */
  release(): void {
    this.#end({ requests: 0, tokens: 0, cost_usd: 0 });
  }

  #end(actual: Settled): void {
    if (!this.#open) return;
    this.#open = false;
    this.onSettled(actual);
  }

  /** The decision in the form of the log. */
  records(): LogLimit[] {
    return this.decision.met.map(({ limit: { limit, kind, amount }, counter, outcome }) => ({
      id: counter.key,
      per: limit.per,
      kind,
      ...(limit.window === undefined ? {} : { window: limit.window }),
      limit: amount,
      outcome,
    }));
  }

  /** The headers `x-ratelimit-*` for the tightest limit of requests and that of tokens. */
  headers(now: number): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const kind of ['requests', 'tokens'] as const) {
      const tightest = this.#tightest(kind);
      if (tightest === undefined) continue;
      const { limit, counter } = tightest;
      headers[`x-ratelimit-limit-${kind}`] = String(limit.amount);
      headers[`x-ratelimit-remaining-${kind}`] = String(Math.floor(counter.remaining()));
      headers[`x-ratelimit-reset-${kind}`] = durationText((counter.span?.end ?? now) - now);
    }
    return headers;
  }

  #tightest(kind: 'requests' | 'tokens'): CountedLimit | undefined {
    let tightest: CountedLimit | undefined;
    for (const met of this.decision.met) {
      if (met.limit.kind !== kind || met.limit.limit.action === 'warn') continue;
      if (tightest === undefined || met.counter.remaining() < tightest.counter.remaining()) tightest = met;
    }
    return tightest;
  }
}

/** A duration in OpenAI's form: `350ms`, `17s`, `6m0s`, `5h0m12s`. */
function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.ceil(ms))}ms`;
  const seconds = Math.ceil(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const text = `${seconds % 60}s`;
  if (hours > 0) return `${hours}h${minutes}m${text}`;
  return minutes > 0 ? `${minutes}m${text}` : text;
}
