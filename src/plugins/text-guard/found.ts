import type { JsonObject } from '../../core/json.js';
import type { Part } from '../../core/message.js';
import type { MaybePromise } from '../../core/pacing/maybe-promise.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { PlacedText } from '../helpers/texts.js';

/** A finding in a text. Offsets are UTF-16 units. Findings in one text do not overlap. */
export interface Found {
  type: string;
  start: number;
  end: number;
  score: number;
  /** For people: why this is a finding. It never contains the text that was found. */
  explanation?: JsonObject;
}

export interface PlacedFound extends Found {
  place: string;
}

/** Scans one text in steps of a few milliseconds at most, so that other work can run in between. */
export interface TextScanner {
  scan(text: string): Steps<readonly Found[]>;
}

/** How to create a scanner, so that a thread can create the same one. */
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
  /** Whether the text is a piece of a stream that will not be scanned again. */
  passing?: boolean;
  /** Identifies the exchange, whose later phases scan the same texts again. */
  exchange?: object;
}

/** Scans texts for a guard. It is synchronous where there is little to do. Throws `NotSeen`. */
export interface TextEngine {
  find(texts: readonly PlacedText[], limits: ScanLimits): MaybePromise<PlacedFound[]>;
  /**
   * The findings in texts that were scanned before, but for a few at most. Undefined where scanning the new ones, or looking the
   * others up, would take more than a fraction of a millisecond.
   */
  findAtOnce?(texts: readonly PlacedText[], exchange?: object): PlacedFound[] | undefined;
  /** Parts of messages that come again and in which it found nothing. Undefined where it may find something later. */
  readonly clearParts?: PartMemory;
  /** How many UTF-16 units around a text it must see in a stream; undefined where it needs the whole answer. */
  readonly streamWindow?: number;
  /** Text without white space is held back up to this many UTF-16 units, until it can be scanned as a whole. */
  readonly longestRun: number;
}

/** Remembers parts of messages in which nothing was found. */
export interface PartMemory {
  /** The messages or choices, with a part without text in the place of each that is remembered. */
  withoutClear<Held extends { parts: Part[] }>(holders: readonly Held[]): readonly Held[];
  /** Adds the parts that come again, except those with a finding in one of their texts. */
  learn(holders: readonly { parts: readonly Part[] }[], found: readonly PlacedFound[]): void;
}

/** The texts were not scanned completely: they are too long, or too much other work is waiting. */
export class NotSeen extends Error {
  /** `tooLarge`: another try would fail too. */
  constructor(
    message: string,
    readonly tooLarge = false,
  ) {
    super(message);
    this.name = 'NotSeen';
  }
}

/**
 * The length of text to which `timeoutMs` applies: 64 Ki UTF-16 units. One second for this much is ten times what the
 * slowest text needs.
 */
const BUDGET_UNITS = 65_536;

export function budgetMs(timeoutMs: number, units: number): number {
  return timeoutMs * Math.max(1, Math.ceil(units / BUDGET_UNITS));
}
