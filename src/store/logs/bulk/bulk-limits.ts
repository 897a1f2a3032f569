import { MAX_SIGNAL_BYTES } from '../../feedback/feedback.js';
import type { BulkPosition, Skipped } from '../../mongodb/collections.js';
import { unpackMetadata } from '../inserts/log-document.js';
import type { Changeable, LogChange } from './bulk-writes.js';

/** The limits that a log must keep after a change of many logs. Absent ones are unlimited. */
export interface BulkLimits {
  maxSignals?: number;
  maxTags?: number;
  maxMetadataBytes?: number;
}

export function takesSignal(
  { feedback_count, _signals = [] }: Changeable,
  { maxSignals = Number.POSITIVE_INFINITY }: BulkLimits,
): boolean {
  const bytes = _signals.reduce((sum, signal) => sum + (signal.bytes ?? 0), 0);
  return feedback_count < maxSignals && bytes < MAX_SIGNAL_BYTES;
}

/**
 * The fields whose change would exceed a limit of the log. A field that already exceeds its limit may still become smaller.
 */
export function fieldsOverLimit(
  log: Changeable,
  { tags = [], metadata }: LogChange,
  { maxTags, maxMetadataBytes }: BulkLimits,
): ('tags' | 'metadata')[] {
  const bytes = metadata === undefined ? 0 : bytesOf(metadata);
  return [
    ...(isOver(tags.length, maxTags) && tags.length > log.tags.length ? (['tags'] as const) : []),
    ...(isOver(bytes, maxMetadataBytes) && bytes > bytesOf(unpackMetadata(log))
      ? (['metadata'] as const)
      : []),
  ];
}

function isOver(size: number, limit = Number.POSITIVE_INFINITY): boolean {
  return size > limit;
}

function bytesOf(metadata: object): number {
  return Buffer.byteLength(JSON.stringify(metadata));
}

export function addSkipped(before: Skipped, parts: readonly (keyof Skipped)[]): Skipped {
  const skipped = { ...before };
  for (const part of parts) skipped[part] = (skipped[part] ?? 0) + 1;
  return skipped;
}

/** The progress of a change of many logs. */
export interface BulkProgress {
  /** The number of logs that were examined and matched. */
  matched: number;
  /** The number of those that were changed. */
  changed: number;
  skipped: Skipped;
  position: BulkPosition | null;
  done: boolean;
}
