import type { JsonObject } from '../../core/json.js';
import type { Message } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { StandInStyle } from '../stand-ins/choose-stand-ins.js';
import type { PlacedFound, TextEngine } from './found.js';

/** The settings that all text guards share. They decide what happens to a finding. */
export interface GuardSettings {
  reject_on_detection: boolean;
  rejection_message: string;
  /**
   * `true`: findings are replaced by `<TYPE>`. A style: they are replaced by stand-ins, which become the original
   * values again in the answer.
   */
  mask: boolean | StandInStyle;
  /** Whether the text of files in requests is scanned. */
  read_files?: boolean;
}

/** A guard's prepared configuration. */
export interface PreparedGuard {
  settings: GuardSettings;
  engine: TextEngine;
  /**
   * The offset, at most `settled`, up to which text of a stream may be released. Needed only where `engine` alone
   * cannot decide it.
   */
  keepFrom?(text: string, settled: number): number;
  /**
   * Drops findings that do not count because of the role that wrote the text. `roleOf` returns undefined where the
   * role is unknown.
   */
  keep?(found: readonly PlacedFound[], roleOf: (place: string) => Role | undefined): Steps<PlacedFound[]>;
  /** The client's message where this finding rejects the text, in place of `rejection_message`. */
  messageFor?(found: PlacedFound): string | undefined;
  /** The `debug` output of a run with these findings. */
  debug(found: readonly PlacedFound[]): JsonObject;
}

export type Role = Message['role'];
