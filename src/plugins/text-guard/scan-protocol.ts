import type { ScannerSpec } from './found.js';
import type { PackedFound } from './packed-found.js';

/** To a scanning thread. A job's texts come before its `start`, in pieces. */
export type ToScanThread =
  /** `joined`: the first text continues the last text of the previous piece. */
  | { kind: 'texts'; job: number; texts: string[]; joined: boolean }
  | { kind: 'start'; job: number; scanner: number; budgetMs: number }
  | { kind: 'drop'; job: number }
  | { kind: 'learn'; scanner: number; spec: ScannerSpec }
  | { kind: 'forget'; scanner: number };

/** From a scanning thread. `alive` comes every second while it works. */
export type FromScanThread =
  | { kind: 'alive' }
  | { kind: 'found'; job: number; found: PackedFound }
  | { kind: 'late'; job: number }
  | { kind: 'threw'; job: number; reason: string };
