import type { SluiceError } from '../../../core/errors.js';
import type { PluginFinding, PluginOutcome, PluginRun } from '../../../core/log-record.js';
import { reasonOf } from '../../contract/fault.js';
import type { PreparedPlugin } from '../prepare/prepared-plugin.js';
import { GatheredNotes } from './gathered-notes.js';
import { type Notes, readNotes } from './read-result.js';
import { type Failure, failureRejection, runRecord } from './run-record.js';

const MOST_FINDINGS = 1_000;

/** What one window plugin did in one stream. All its calls become one run. */
export class StageRun {
  readonly #prepared: PreparedPlugin;
  readonly #notes = new GatheredNotes(MOST_FINDINGS);
  #ended: 'rejected' | 'error' | 'timeout' | undefined;
  #reason: string | undefined;
  /** Why the plugin did not see the whole text; undefined where it did. */
  #missed: string | undefined;
  durationMs = 0;
  calls = 0;
  modified = false;

  constructor(prepared: PreparedPlugin) {
    this.#prepared = prepared;
  }

  /** Whether the plugin has failed and is not called any more. */
  get stopped(): boolean {
    return this.#ended === 'error' || this.#ended === 'timeout';
  }

  /**
   * Adds the notes of a call. `place` returns a finding's place in the answer, or nothing where the finding does not
   * count yet.
   */
  note(notes: Notes, place: (finding: PluginFinding) => PluginFinding | undefined): void {
    this.#notes.add(notes, place);
  }

  reject(result: Record<string, unknown>, place: (finding: PluginFinding) => PluginFinding): void {
    this.#ended = 'rejected';
    try {
      this.note(readNotes(result), place);
    } catch (thrown) {
      this.#reason = reasonOf(thrown);
    }
  }

  /** Records a failure. Returns the error that ends the stream, where the operator wants that. */
  stop(failure: Failure): SluiceError | undefined {
    this.#ended = failure.outcome;
    this.#reason = failure.reason;
    return failureRejection(this.#prepared, 'response', failure);
  }

  /**
   * Records that a part of the stream cannot be read. This counts as an error, although the rest is still guarded.
   */
  miss(reason: string): SluiceError | undefined {
    this.#missed ??= reason;
    return failureRejection(this.#prepared, 'response', { outcome: 'error', reason });
  }

  /** Returns the run. `interrupted` says why the stream ended early, where it did. */
  record(interrupted: string | undefined): PluginRun {
    return runRecord(this.#prepared, 'response', {
      outcome: this.#outcome(interrupted),
      durationMs: this.durationMs,
      notes: this.#notes.notes,
      reason: this.#reason ?? this.#missed ?? interrupted,
    });
  }

  #outcome(interrupted: string | undefined): PluginOutcome {
    if (this.#ended !== undefined) return this.#ended;
    if (this.#missed !== undefined) return 'error';
    if (this.modified) return 'modified';
    return interrupted !== undefined && this.calls === 0 ? 'skipped' : 'passed';
  }
}
