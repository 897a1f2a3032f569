import type { LogRecord, UnreadLog } from '../core/log-record.js';
import type { LogAmendment } from '../core/log-sink.js';
import { type Entry, idIn, type LogEntry, recordOf } from './entry.js';
import type { LogStore } from './log-store.js';

const AMENDMENTS_AT_ONCE = 16;

/** An entry that can never be stored, by its index in the list. */
export interface Refusal {
  index: number;
  reason: string;
}

export interface Delivery {
  /** The number of logs that were stored. */
  stored: number;
  refused: Refusal[];
}

/**
 * Delivers entries in order to the place where logs are kept. Throws where everything must be repeated. A repetition changes
 * nothing.
 */
export type Deliver = (entries: readonly Entry[]) => Promise<Delivery>;

/** The store has not looked at the entries, so none of them is the cause of the failure. */
export class NotReached extends Error {}

export function deliverTo(store: LogStore): Deliver {
  return (entries) => deliver(entries, store);
}

/** Writes the logs first, together with what is known about them, and then the amendments of earlier logs. */
async function deliver(entries: readonly Entry[], store: LogStore): Promise<Delivery> {
  const amendments = amendmentsByLog(entries);
  const { stored, refused, settled } = await deliverLogs(entries, amendments, store);
  for (const id of settled) amendments.delete(id);
  return { stored, refused: [...refused, ...(await deliverAmendments(amendments, store))] };
}

interface PlacedAmendment {
  index: number;
  amendment: LogAmendment;
}

type AmendmentsByLog = Map<string, PlacedAmendment[]>;

/** The amendments by their log, in order within each log. */
function amendmentsByLog(entries: readonly Entry[]): AmendmentsByLog {
  const byLog: AmendmentsByLog = new Map();
  for (const [index, entry] of entries.entries()) {
    if (entry.kind !== 'amendment') continue;
    const { amendment } = entry;
    const earlier = byLog.get(amendment.log_id);
    if (earlier === undefined) byLog.set(amendment.log_id, [{ index, amendment }]);
    else earlier.push({ index, amendment });
  }
  return byLog;
}

/** Delivers logs. `settled` gets the logs whose amendments were stored with them. */
async function deliverLogs(
  entries: readonly Entry[],
  amendments: AmendmentsByLog,
  store: LogStore,
): Promise<Delivery & { settled: string[] }> {
  const logs = new LogsOf(entries);
  if (logs.count === 0) return { stored: 0, refused: [], settled: [] };
  const learned = [...amendments].map(([id, list]) => [id, list.map(({ amendment }) => amendment)] as const);
  const answer = await store.insertMany(logs, new Map(learned));
  const stored = new Set(answer.stored);
  const reasons = new Map(answer.refused.map(({ id, reason }) => [id, reason]));
  const refused = [...logs.unreadable];
  for (const [index, id] of logs.ids) {
    if (stored.has(id)) continue;
    const reason = reasons.get(id);
    if (reason === undefined) throw new Error(`the store did not report log ${id}`);
    refused.push({ index, reason });
  }
  const settled = answer.amended ? [...logs.ids.values()].filter((id) => amendments.has(id)) : [];
  return { stored: logs.count - refused.length, refused, settled };
}

/** The logs of a batch. Each is parsed only when it is needed, so that the batch is never in memory as a whole. */
class LogsOf implements Iterable<LogRecord | UnreadLog> {
  /** The ids of all readable logs, by their index in the batch. */
  readonly ids = new Map<number, string>();
  unreadable: Refusal[] = [];
  readonly count: number;

  constructor(private readonly entries: readonly Entry[]) {
    this.count = entries.filter(({ kind }) => kind === 'log').length;
  }

  *[Symbol.iterator](): Generator<LogRecord | UnreadLog> {
    this.unreadable = [];
    for (const [index, entry] of this.entries.entries()) {
      if (entry.kind !== 'log') continue;
      const log = this.#logOf(index, entry);
      if (log === undefined) continue;
      this.ids.set(index, log._id);
      yield log;
    }
  }

  #logOf(index: number, entry: LogEntry): LogRecord | UnreadLog | undefined {
    if (entry.record !== undefined) return entry.record;
    const _id = idIn(entry.payload);
    if (_id === undefined) return this.#read(index, entry);
    return { _id, json: entry.payload, read: () => this.#read(index, entry) };
  }

  /** The log of an entry. Undefined for text that is not JSON, which another version of Sluice could have written. */
  #read(index: number, entry: LogEntry): LogRecord | undefined {
    try {
      return recordOf(entry);
    } catch {
      this.ids.delete(index);
      this.unreadable.push({ index, reason: 'it is not JSON' });
      return undefined;
    }
  }
}

/** Delivers the amendments of one log in order, and those of different logs concurrently. */
async function deliverAmendments(byLog: AmendmentsByLog, store: LogStore): Promise<Refusal[]> {
  const groups = [...byLog.values()];
  const refused: Refusal[] = [];
  for (let start = 0; start < groups.length; start += AMENDMENTS_AT_ONCE) {
    const calls = groups.slice(start, start + AMENDMENTS_AT_ONCE).map((group) => amendInOrder(group, store));
    // All calls end before a failure is reported, so that none is running when they are repeated.
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
