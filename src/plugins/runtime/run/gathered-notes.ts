import type { JsonObject, JsonValue } from '../../../core/json.js';
import type { PluginFinding } from '../../../core/log-record.js';
import type { Notes } from './read-result.js';

const MOST_DEBUG_VALUES = 50;

/** Collects the notes of a plugin's calls on one answer into those of one run. */
export class GatheredNotes {
  readonly #most: number;
  readonly #findings: PluginFinding[] = [];
  readonly #debug = new Map<string, JsonValue>();
  #annotations: JsonObject | undefined;

  /** `mostFindings` is the number of findings that are kept. */
  constructor(mostFindings = Number.POSITIVE_INFINITY) {
    this.#most = mostFindings;
  }

  /** `place` returns a finding's place in the answer, or nothing where it does not count yet. */
  add(notes: Notes, place: (finding: PluginFinding) => PluginFinding | undefined): void {
    for (const finding of notes.findings) {
      const placed = place(finding);
      if (placed !== undefined && this.#findings.length < this.#most) this.#findings.push(placed);
    }
    if (notes.debug !== undefined && this.#debug.size < MOST_DEBUG_VALUES) {
      this.#debug.set(JSON.stringify(notes.debug), notes.debug);
    }
    if (notes.annotations !== undefined) this.#annotations = { ...this.#annotations, ...notes.annotations };
  }

  /** The collected notes. A debug value that every call returned is kept once; different ones become a list. */
  get notes(): Notes {
    const debug = [...this.#debug.values()];
    return {
      findings: this.#findings,
      debug: debug.length > 1 ? debug : debug[0],
      annotations: this.#annotations,
    };
  }
}
