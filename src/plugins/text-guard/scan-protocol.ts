import type { ScannerSpec } from './found.js';
import type { PackedFound } from './packed-found.js';

/** A message to a scanning thread. The texts of a job are sent in pieces before its `start`. */
export type ToScanThread =
  /** `joined`: the first text continues the last text of the previous piece. */
  | { kind: 'texts'; job: number; texts: string[]; joined: boolean }
  | { kind: 'start'; job: number; scanner: number; budgetMs: number }
  | { kind: 'drop'; job: number }
  | { kind: 'learn'; scanner: number; spec: ScannerSpec }
  | { kind: 'forget'; scanner: number };

/** A message from a scanning thread. It sends `alive` every second while it works. */
export type FromScanThread =
  | { kind: 'alive' }
  | { kind: 'found'; job: number; found: PackedFound }
  | { kind: 'late'; job: number }
  | { kind: 'threw'; job: number; reason: string };
