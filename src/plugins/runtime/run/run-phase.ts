import { assertNever } from '../../../core/assert-never.js';
import type { SluiceError } from '../../../core/errors.js';
import type { PluginRun } from '../../../core/log-record.js';
import type { MaybePromise } from '../../../core/pacing/maybe-promise.js';
import { Pace } from '../../../core/pacing/pace.js';
import type { Steps } from '../../../core/pacing/steps.js';
import { inTurns, runSteps } from '../../../core/pacing/steps.js';
import type { Phase } from '../../../core/settings.js';
import type { TextChange } from '../../../core/texts/part-texts.js';
import { PluginFault, reasonOf } from '../../contract/fault.js';
import type { PlacedText } from '../../helpers/texts.js';
import type { StandIns } from '../../stand-ins/stand-ins.js';
import type { TimedCall } from '../call/caller.js';
import type { PreparedPlugin } from '../prepare/prepared-plugin.js';
import { rejectedByPlugin } from './plugin-errors.js';
import {
  hasFewFindings,
  readNotes,
  readNotesInSteps,
  readObject,
  readRejection,
  readRestores,
} from './read-result.js';
import { type Failure, failureOf, failureRejection, runRecord } from './run-record.js';
import { skippedRun } from './skipped-runs.js';

export interface PhaseOutcome<Content> {
  content: Content;
  modified: boolean;
  /** The runs of all plugins that had to run in the phase, in order. */
  runs: PluginRun[];
  rejection?: SluiceError;
}

/** What differs between the phases `request` and `response`. */
export interface PhaseKind<Content> {
  phase: Phase & ('request' | 'response');
  call(prepared: PreparedPlugin, shown: Content): MaybePromise<TimedCall>;
  /** Takes over the content that a plugin returned. Throws a `PluginFault` where more than texts differ. */
  take(shown: Content, given: unknown): Steps<Content>;
  texts(content: Content): Steps<PlacedText[]>;
  map(content: Content, change: TextChange): Steps<Content>;
  /** The content in the form that plugins see. */
  show(content: Content): MaybePromise<Content>;
  standIns: StandIns;
  disconnected(): boolean;
}

/** Runs the plugins of a phase in order, each on the result of the one before. Stops at a rejection. */
export async function runPhase<Content>(
  plugins: readonly PreparedPlugin[],
  original: Content,
  kind: PhaseKind<Content>,
): Promise<PhaseOutcome<Content>> {
  const due = plugins.filter((prepared) => prepared.phases.includes(kind.phase));
  const outcome: PhaseOutcome<Content> = { content: original, modified: false, runs: [] };
  /** Reading and applying thousands of findings takes milliseconds, so it is done in steps. */
  const pace = new Pace();
  let shown: Content | undefined;
  let stopped: string | undefined;
  for (const prepared of due) {
    if (stopped === undefined && kind.disconnected()) stopped = 'the client left';
    if (stopped !== undefined) {
      outcome.runs.push(skippedRun(prepared, kind.phase, stopped));
      continue;
    }
    if (shown === undefined) {
      const given = kind.show(outcome.content);
      shown = await given;
    }
    const pending = kind.call(prepared, shown);
    const timed = await pending;
    const pause = pace.pause();
    if (pause !== undefined) await pause;
    const step =
      passedAtOnce(prepared, timed, kind.phase) ?? (await runSteps(judge(prepared, timed, shown, kind)));
    outcome.runs.push(step.run);
    if (step.rejection !== undefined) {
      outcome.rejection = step.rejection;
      stopped = `'${prepared.entry.plugin}' rejected before`;
    }
    if (step.texts !== undefined) {
      const { texts } = step;
      await inTurns(kind.standIns.addInSteps(step.restores ?? []), pace);
      await pace.pause();
      outcome.content = await inTurns(
        kind.map(outcome.content, (text, place) => texts.get(place) ?? text),
        pace,
      );
      outcome.modified = true;
      shown = undefined;
    }
  }
  return outcome;
}

interface Step {
  run: PluginRun;
  rejection?: SluiceError;
  /** The texts that the plugin changed, by place. */
  texts?: ReadonlyMap<string, string>;
  restores?: [standIn: string, value: string][];
}

/** The step of a plugin that let the content pass with few findings, as most do; undefined otherwise. */
function passedAtOnce(
  prepared: PreparedPlugin,
  { called, durationMs }: TimedCall,
  phase: Phase,
): Step | undefined {
  if (called.end !== 'returned') return undefined;
  try {
    const result = readObject(called.value);
    if (result.action !== 'pass' || !hasFewFindings(result)) return undefined;
    return { run: runRecord(prepared, phase, { outcome: 'passed', durationMs, notes: readNotes(result) }) };
  } catch (thrown) {
    return faulty(prepared, phase, durationMs, thrown);
  }
}

/**
 * Turns a plugin's result into its effect. In steps, because there can be tens of thousands of changed texts and
 * findings.
 */
function* judge<Content>(
  prepared: PreparedPlugin,
  { called, durationMs }: TimedCall,
  shown: Content,
  kind: PhaseKind<Content>,
): Steps<Step> {
  const { phase } = kind;
  switch (called.end) {
    case 'disconnected':
      return {
        run: runRecord(prepared, phase, {
          outcome: 'skipped',
          durationMs,
          reason: 'the client left while it ran',
        }),
      };
    case 'returned':
      try {
        return yield* read(prepared, readObject(called.value), durationMs, shown, kind);
      } catch (thrown) {
        return faulty(prepared, phase, durationMs, thrown);
      }
    case 'error':
    case 'timeout':
      return failed(prepared, phase, durationMs, failureOf(called));
    default:
      return assertNever(called);
  }
}

function faulty(prepared: PreparedPlugin, phase: Phase, durationMs: number, thrown: unknown): Step {
  return failed(prepared, phase, durationMs, { outcome: 'error', reason: reasonOf(thrown) });
}

function failed(prepared: PreparedPlugin, phase: Phase, durationMs: number, failure: Failure): Step {
  const { outcome, reason } = failure;
  const run = runRecord(prepared, phase, { outcome, durationMs, reason });
  return { run, rejection: failureRejection(prepared, phase, failure) };
}

function* read<Content>(
  prepared: PreparedPlugin,
  result: Record<string, unknown>,
  durationMs: number,
  shown: Content,
  kind: PhaseKind<Content>,
): Steps<Step> {
  const { phase } = kind;
  switch (result.action) {
    case 'reject':
      return yield* rejected(prepared, phase, result, durationMs);
    case 'pass':
      return {
        run: runRecord(prepared, phase, {
          outcome: 'passed',
          durationMs,
          notes: yield* readNotesInSteps(result),
        }),
      };
    case 'modify':
      return yield* readModified(prepared, result, durationMs, shown, kind);
    default:
      // A plugin in JavaScript may return anything.
      throw new PluginFault("returned no 'action' of pass, modify and reject");
  }
}

function* readModified<Content>(
  prepared: PreparedPlugin,
  result: Record<string, unknown>,
  durationMs: number,
  shown: Content,
  { phase, take, texts }: PhaseKind<Content>,
): Steps<Step> {
  try {
    const notes = yield* readNotesInSteps(result);
    const restores = yield* readRestores(result.restores);
    yield;
    const changed = yield* differences(yield* texts(shown), yield* texts(yield* take(shown, result.content)));
    const outcome = changed.size === 0 ? 'passed' : 'modified';
    const run = runRecord(prepared, phase, { outcome, durationMs, notes });
    return changed.size === 0 ? { run } : { run, restores, texts: changed };
  } catch (thrown) {
    return faulty(prepared, phase, durationMs, thrown);
  }
}

const TEXTS_AT_ONCE = 1_000;

/** The changed texts, by place. Both lists have the same places in the same order. */
function* differences(
  before: readonly PlacedText[],
  after: readonly PlacedText[],
): Steps<Map<string, string>> {
  const changed = new Map<string, string>();
  for (const [index, { place, text }] of after.entries()) {
    if (text !== before[index]!.text) changed.set(place, text);
    if (index % TEXTS_AT_ONCE === TEXTS_AT_ONCE - 1) yield;
  }
  return changed;
}

/** A rejection is valid even where its notes are not. The run then says so. */
export function* rejected(
  prepared: PreparedPlugin,
  phase: Phase,
  result: Record<string, unknown>,
  durationMs: number,
): Steps<{ run: PluginRun; rejection: SluiceError }> {
  const rejection = rejectedByPlugin(readRejection(result));
  try {
    const notes = yield* readNotesInSteps(result);
    return { run: runRecord(prepared, phase, { outcome: 'rejected', durationMs, notes }), rejection };
  } catch (thrown) {
    const reason = reasonOf(thrown);
    return { run: runRecord(prepared, phase, { outcome: 'rejected', durationMs, reason }), rejection };
  }
}
