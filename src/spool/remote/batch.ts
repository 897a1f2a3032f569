import { setImmediate as turn } from 'node:timers/promises';
import { heavyWork } from '../../core/pacing/heavy-work.js';
import { type Entry, entryFromPayload, payloadOf } from '../entry.js';
import { decodeRecord, encodeRecord } from '../segment-record.js';

/** The entries that are parsed in one turn of the event loop: about a millisecond. */
const AT_ONCE = 50;

/** The bytes are not a batch, or one of a version with other kinds of entries. */
export class BrokenBatch extends Error {}

/**
 * Writes entries as a sequence of records, as in a segment. The time of the append is left out, because it means nothing on
 * another machine.
 */
export async function encodeBatch(entries: readonly Entry[]): Promise<Buffer> {
  const records: Buffer[] = [];
  for (const entry of entries) records.push(encodeRecord(entry.kind, await payloadOf(entry), 0));
  return records.length === 1 ? records[0]! : Buffer.concat(records);
}

/** The entries in the bytes. Throws `BrokenBatch`. */
export async function decodeBatch(bytes: Buffer): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (let at = 0; at < bytes.length; ) {
    if (entries.length % AT_ONCE === AT_ONCE - 1) await turn();
    const result = decodeRecord(bytes, at);
    if (result.status !== 'whole') throw new BrokenBatch(`no complete entry begins at byte ${at}`);
    const { kind, payload } = result.record;
    await heavyWork.turn(payload.length);
    try {
      entries.push(entryFromPayload(kind, payload));
    } catch {
      throw new BrokenBatch(`the entry at byte ${at} is not JSON`);
    }
    at += result.record.bytes;
  }
  return entries;
}
