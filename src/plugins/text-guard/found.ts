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
  /** Why it is one, for people; never the found text. */
  explanation?: JsonObject;
}

export interface PlacedFound extends Found {
  place: string;
}

/** Looks at one text in steps of a few milliseconds at most; between two steps other work may run. */
export interface TextScanner {
  scan(text: string): Steps<readonly Found[]>;
}

/** What a scanner is made from, so that a thread can make the same one. */
export interface ScannerSpec {
  kind: string;
  /** What the scanner's kind takes; it can be sent to a thread. */
  options: object;
}

/** How long a look may take: `timeoutMs` for each piece of text of `BUDGET_UNITS` begun. */
export interface ScanLimits {
  timeoutMs: number;
  /** Aborted when the client has gone. */
  signal: AbortSignal;
  /** Whether the text is a piece of a stream, which does not come again. */
  passing?: boolean;
  /** Stands for the exchange in whose later phases the texts come again. */
  exchange?: object;
}

/** What looks at texts for a guard. At once where little is to be done. Throws `NotSeen`. */
export interface TextEngine {
  find(texts: readonly PlacedText[], limits: ScanLimits): MaybePromise<PlacedFound[]>;
  /** What is in texts that it has all seen before; undefined where one is new, or to find that out takes long. */
  recall?(texts: readonly PlacedText[], exchange?: object): PlacedFound[] | undefined;
  /** UTF-16 units that it must see around a text in a stream; undefined where it needs the whole answer. */
  readonly streamWindow?: number;
  /** An unbroken run of text of up to so many units is to be seen whole. */
  readonly longestRun: number;
}

/** The texts were too much, or came while too much was under way: they were not looked at to their end. */
export class NotSeen extends Error {
  /** `tooLarge`: another try is of no use. */
  constructor(
    message: string,
    readonly tooLarge = false,
  ) {
    super(message);
    this.name = 'NotSeen';
  }
}

/** 64 Ki units of text. A second for each is ten times what the slowest text needs. */
export const BUDGET_UNITS = 65_536;

export function budgetMs(timeoutMs: number, units: number): number {
  return timeoutMs * Math.max(1, Math.ceil(units / BUDGET_UNITS));
}
