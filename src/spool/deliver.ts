import type { LogRecord } from '../core/log-record.js';
import type { LogAmendment } from '../core/log-sink.js';
import type { Entry } from './entry.js';
import type { LogStore } from './log-store.js';

const AMENDMENTS_AT_ONCE = 16;

export interface Delivery {
  /** Logs that landed. */
  stored: number;
  /** By place in the list: entries that the store will never take. */
  refused: { index: number; reason: string }[];
}

/** Brings entries to the store: the logs at once, then the amendments in their order. Throws where it must be repeated. */
export async function deliver(entries: readonly Entry[], store: LogStore): Promise<Delivery> {
  const delivery = await deliverLogs(entries, store);
  await deliverAmendments(entries, store);
  return delivery;
}

/** Those of one log in their order, those of several logs beside each other. */
async function deliverAmendments(entries: readonly Entry[], store: LogStore): Promise<void> {
  const byLog = new Map<string, LogAmendment[]>();
  for (const entry of entries) {
    if (entry.kind !== 'amendment') continue;
    const { amendment } = entry;
    const earlier = byLog.get(amendment.log_id);
    if (earlier === undefined) byLog.set(amendment.log_id, [amendment]);
    else earlier.push(amendment);
  }
  const groups = [...byLog.values()];
  for (let start = 0; start < groups.length; start += AMENDMENTS_AT_ONCE) {
    const calls = groups.slice(start, start + AMENDMENTS_AT_ONCE).map((group) => amendInOrder(group, store));
    // All calls end before a failure is told, so that none is under way when they are repeated.
    const failed = (await Promise.allSettled(calls)).find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }
}

async function amendInOrder(amendments: readonly LogAmendment[], store: LogStore): Promise<void> {
  for (const amendment of amendments) await store.amend(amendment);
}

async function deliverLogs(entries: readonly Entry[], store: LogStore): Promise<Delivery> {
  const records: LogRecord[] = [];
  for (const entry of entries) if (entry.kind === 'log') records.push(entry.record);
  if (records.length === 0) return { stored: 0, refused: [] };
  const answer = await store.insertMany(records);
  const stored = new Set(answer.stored);
  const reasons = new Map(answer.refused.map(({ id, reason }) => [id, reason]));
  const refused: Delivery['refused'] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry.kind !== 'log' || stored.has(entry.record._id)) continue;
    const reason = reasons.get(entry.record._id);
    if (reason === undefined) throw new Error(`the store said nothing of log ${entry.record._id}`);
    refused.push({ index, reason });
  }
  return { stored: records.length - refused.length, refused };
}
