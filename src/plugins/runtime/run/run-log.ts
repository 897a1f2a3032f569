import type { Clock } from '../../../core/clock.js';
import type { LogRecord, PluginRun } from '../../../core/log-record.js';
import type { Steps } from '../../../core/pacing/steps.js';
import { atOnce, runSteps } from '../../../core/pacing/steps.js';
import { reasonOf } from '../../contract/fault.js';
import type { LogResult } from '../../contract/plugin.js';
import type { Caller, TimedCall } from '../call/caller.js';
import { LazyInput } from '../call/lazy-input.js';
import { showTo } from '../prepare/frozen-copy.js';
import type { HostContext, PreparedPlugin } from '../prepare/prepared-plugin.js';
import { hasFewFindings, readNotes, readNotesInSteps, readObject, readTags } from './read-result.js';
import { boundedRun, runRecord } from './run-record.js';

/** The results of the LOG phase. */
export interface LogPhaseOutcome {
  runs: PluginRun[];
  /** The tags to add, without duplicates. */
  addTags: string[];
}

/** Runs the plugins of the log phase one after the other. None of them can stop anything. */
export async function runLogPhase(
  plugins: readonly PreparedPlugin[],
  context: HostContext,
  record: LogRecord,
  caller: Caller,
): Promise<LogPhaseOutcome> {
  const due = dueInLog(plugins);
  const outcome = new Gathered();
  const content = due.length === 0 ? {} : { record: await showTo(due)(record) };
  for (const prepared of due) {
    const called = await caller.call(prepared, 'log', context, content);
    outcome.add(prepared, await runSteps(judge(prepared, called)));
  }
  return outcome;
}

/** The results where every plugin knows its own without running; undefined where one of them has to run. */
export function runLogAtOnce(
  plugins: readonly PreparedPlugin[],
  context: HostContext,
  record: LogRecord,
  clock: Clock,
): LogPhaseOutcome | undefined {
  const due = dueInLog(plugins);
  if (!due.every(({ plugin }) => plugin.logAtOnce !== undefined && plugin.readsOnly)) return undefined;
  const outcome = new Gathered();
  for (const prepared of due) {
    const { plugin, entry, config } = prepared;
    const start = clock.monotonic();
    let value: LogResult | undefined;
    try {
      value = plugin.logAtOnce!(Object.assign(new LazyInput(config, entry.timeout_ms, context), { record }));
    } catch {
      // The plugin is then called later, and its error is in its run.
      return undefined;
    }
    if (value === undefined) return undefined;
    const durationMs = clock.monotonic() - start;
    outcome.add(prepared, atOnce(judge(prepared, { called: { end: 'returned', value }, durationMs })));
  }
  return outcome;
}

function dueInLog(plugins: readonly PreparedPlugin[]): PreparedPlugin[] {
  return plugins.filter(({ phases }) => phases.includes('log'));
}

class Gathered implements LogPhaseOutcome {
  readonly runs: PluginRun[] = [];
  #tags: Set<string> | undefined;

  add({ entry }: PreparedPlugin, { run, addTags }: Judged): void {
    const isObserving = entry.mode === 'observe';
    this.runs.push(boundedRun(isObserving ? Object.assign({}, run, { observed: true as const }) : run));
    if (isObserving || addTags.length === 0) return;
    this.#tags ??= new Set();
    for (const tag of addTags) this.#tags.add(tag);
  }

  get addTags(): string[] {
    return [...(this.#tags ?? [])];
  }
}

interface Judged {
  run: PluginRun;
  addTags: string[];
}

function* judge(prepared: PreparedPlugin, { called, durationMs }: TimedCall): Steps<Judged> {
  const end = (outcome: 'skipped' | 'error' | 'timeout', reason: string) => ({
    run: runRecord(prepared, 'log', { outcome, durationMs, reason }),
    addTags: [],
  });
  if (called.end === 'disconnected') return end('skipped', 'it was cancelled');
  if (called.end !== 'returned') return end(called.end, called.reason);
  try {
    const result = readObject(called.value);
    const addTags = readTags(result.addTags);
    return {
      run: runRecord(prepared, 'log', {
        outcome: 'passed',
        durationMs,
        notes: hasFewFindings(result) ? readNotes(result) : yield* readNotesInSteps(result),
      }),
      addTags,
    };
  } catch (thrown) {
    return end('error', reasonOf(thrown));
  }
}
