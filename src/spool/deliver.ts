import type { LogRecord } from '../core/log-record.js';
import type { LogAmendment } from '../core/log-sink.js';
import type { Entry } from './entry.js';
import type { LogStore } from './log-store.js';

const AMENDMENTS_AT_ONCE = 16;

/** An entry that will never land, by its place in the list. */
export interface Refusal {
  index: number;
  reason: string;
}

export interface Delivery {
  /** Logs that landed. */
  stored: number;
  refused: Refusal[];
}

/** Brings entries to the store: the logs at once, then the amendments in their order. Throws where all must be repeated. */
export async function deliver(entries: readonly Entry[], store: LogStore): Promise<Delivery> {
  const { stored, refused } = await deliverLogs(entries, store);
  return { stored, refused: [...refused, ...(await deliverAmendments(entries, store))] };
}

async function deliverLogs(entries: readonly Entry[], store: LogStore): Promise<Delivery> {
  const records: LogRecord[] = [];
  for (const entry of entries) if (entry.kind === 'log') records.push(entry.record);
  if (records.length === 0) return { stored: 0, refused: [] };
  const answer = await store.insertMany(records);
  const stored = new Set(answer.stored);
  const reasons = new Map(answer.refused.map(({ id, reason }) => [id, reason]));
  const refused: Refusal[] = [];
  for (const [index, entry] of entries.entries()) {
    if (entry.kind !== 'log' || stored.has(entry.record._id)) continue;
    const reason = reasons.get(entry.record._id);
    if (reason === undefined) throw new Error(`the store said nothing of log ${entry.record._id}`);
    refused.push({ index, reason });
  }
  return { stored: records.length - refused.length, refused };
}

interface PlacedAmendment {
  index: number;
  amendment: LogAmendment;
}

/** Those of one log in their order, those of several logs beside each other. */
async function deliverAmendments(entries: readonly Entry[], store: LogStore): Promise<Refusal[]> {
  const byLog = new Map<string, PlacedAmendment[]>();
  for (const [index, entry] of entries.entries()) {
    if (entry.kind !== 'amendment') continue;
    const { amendment } = entry;
    const earlier = byLog.get(amendment.log_id);
    if (earlier === undefined) byLog.set(amendment.log_id, [{ index, amendment }]);
    else earlier.push({ index, amendment });
  }
  const groups = [...byLog.values()];
  const refused: Refusal[] = [];
  for (let start = 0; start < groups.length; start += AMENDMENTS_AT_ONCE) {
    const calls = groups.slice(start, start + AMENDMENTS_AT_ONCE).map((group) => amendInOrder(group, store));
    // All calls end before a failure is told, so that none is under way when they are repeated.
    for (const result of await Promise.allSettled(calls)) {
      if (result.status === 'rejected') throw result.reason;
      refused.push(...result.value);
    }
  }
  return refused;
}

async function amendInOrder(amendments: readonly PlacedAmendment[], store: LogStore): Promise<Refusal[]> {
  const refused: Refusal[] = [];
  for (const { index, amendment } of amendments) {
    if (!(await store.amend(amendment))) refused.push({ index, reason: 'its log is not in MongoDB' });
  }
  return refused;
}
