import type { JsonObject } from '../../core/json.js';
import type { MaybePromise } from '../../core/pacing/maybe-promise.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { PlacedText } from '../helpers/texts.js';

/** What was found in a text. Offsets are UTF-16 units; what is found in one text does not overlap. */
export interface Found {
  type: string;
  start: number;
  end: number;
  score: number;
  /** Why this is a finding, for people; never contains the found text. */
  explanation?: JsonObject;
}

export interface PlacedFound extends Found {
  place: string;
}

/** Scans one text in steps of a few milliseconds at most, so that other work can run in between. */
export interface TextScanner {
  scan(text: string): Steps<readonly Found[]>;
}

/** What a scanner is made from, so that a thread can make the same one. */
export interface ScannerSpec {
  kind: string;
  /** The options for this kind of scanner. They can be sent to a thread. */
  options: object;
}

/** How long a scan may take: `timeoutMs` for each `BUDGET_UNITS` of text, rounded up. */
export interface ScanLimits {
  timeoutMs: number;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** Whether the text is a piece of a stream and will not be scanned again. */
  passing?: boolean;
  /** Identifies the exchange, whose later phases scan the same texts again. */
  exchange?: object;
}

/** Scans texts for a guard; synchronous where there is little to do. Throws `NotSeen`. */
export interface TextEngine {
  find(texts: readonly PlacedText[], limits: ScanLimits): MaybePromise<PlacedFound[]>;
  /**
   * The findings of texts that were all scanned before; undefined where one is new, or where the lookup would take
   * long.
   */
  recall?(texts: readonly PlacedText[], exchange?: object): PlacedFound[] | undefined;
  /** UTF-16 units that it must see around a text in a stream; undefined where it needs the whole answer. */
  readonly streamWindow?: number;
  /** Text without white space is held back until it can be scanned whole, up to this many UTF-16 units. */
  readonly longestRun: number;
}

/** The texts were not scanned completely: they are too long, or too much other work is waiting. */
export class NotSeen extends Error {
  /** `tooLarge`: a retry would fail again. */
  constructor(
    message: string,
    readonly tooLarge = false,
  ) {
    super(message);
    this.name = 'NotSeen';
  }
}

/** 64 Ki UTF-16 units. One second for this much text is ten times what the slowest text needs. */
const BUDGET_UNITS = 65_536;

export function budgetMs(timeoutMs: number, units: number): number {
  return timeoutMs * Math.max(1, Math.ceil(units / BUDGET_UNITS));
}
