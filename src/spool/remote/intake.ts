import { isJsonObject } from '../../core/json.js';
import type { Deliver, Delivery, Refusal } from '../deliver.js';
import { type Entry, recordOf } from '../entry.js';
import { decodeBatch } from './batch.js';

/** The greatest length of a reason, because the answer contains the reasons of all refused entries. */
const LONGEST_REASON = 2_000;

/**
 * Delivers a batch of another process to the place where logs are kept. An entry that is not a log is refused alone,
 * because readers rely on the form of logs. Throws `BrokenBatch`, and as `deliver` does.
 */
export async function takeBatch(bytes: Buffer, deliver: Deliver): Promise<Delivery> {
  const refused: Refusal[] = [];
  const sound: { index: number; entry: Entry }[] = [];
  for (const [index, entry] of (await decodeBatch(bytes)).entries()) {
    const mistake = mistakeOf(entry);
    if (mistake === undefined) sound.push({ index, entry });
    else refused.push({ index, reason: `it is not a valid ${entry.kind}: ${mistake}` });
  }
  const delivery = await deliver(sound.map(({ entry }) => entry));
  const found = delivery.refused.map(({ index, reason }) => ({
    index: sound[index]!.index,
    reason: reason.slice(0, LONGEST_REASON),
  }));
  return { stored: delivery.stored, refused: [...refused, ...found] };
}

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isObject: Check = isJsonObject;
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const isRun: Check = (value) => isJsonObject(value) && isText(value.plugin) && Array.isArray(value.findings);

/** The fields of a log with their checks. Fields of newer versions are ignored here. */
const LOG: Record<string, Check> = {
  _id: isText,
  project_uid: isText,
  created_at: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  api: isText,
  status: isText,
  http_status: Number.isFinite,
  metadata: isObject,
  tags: listOf(isText),
  attempts: listOf(isObject),
  plugin_runs: listOf(isRun),
  timing: isObject,
};
const AMENDMENT: Record<string, Check> = {
  log_id: isText,
  plugin_runs: listOf(isRun),
  add_tags: listOf(isText),
};

function mistakeOf(entry: Entry): string | undefined {
  const [value, checks] = entry.kind === 'log' ? [recordOf(entry), LOG] : [entry.amendment, AMENDMENT];
  if (!isJsonObject(value)) return 'it is not an object';
  const wrong = Object.keys(checks).find(
    (field) => !checks[field]!((value as Record<string, unknown>)[field]),
  );
  return wrong === undefined ? undefined : `${wrong} is missing or has the wrong type`;
}
