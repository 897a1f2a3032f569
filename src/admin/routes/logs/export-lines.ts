import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../../core/json.js';
import { improvementPair, rivalPair } from '../../../logs/export/dpo.js';
import { ktoLine } from '../../../logs/export/kto.js';
import { type ExportFormat, sftLine } from '../../../logs/export/sft.js';
import type { LogWalk, WalkedLog } from '../../../store/logs/log-walk.js';
import type { LogFilter } from '../../../store/logs/search/log-filter.js';

export interface ExportRequest {
  kind: 'sft' | 'dpo' | 'kto';
  format: ExportFormat;
  includeUnrated: boolean;
  provenance: boolean;
}

/** Prompts whose pair was written, so that a prompt of many logs is compared once. Beyond it only time is lost. */
const REMEMBERED_PROMPTS = 100_000;

/** The lines of an export, oldest log first. Memory does not grow with the number of logs. */
export async function* exportLines(
  walk: LogWalk,
  projectUid: string,
  filter: LogFilter,
  request: ExportRequest,
): AsyncGenerator<string> {
  const { kind, format, includeUnrated, provenance } = request;
  const taken: LogFilter = kind === 'sft' && includeUnrated ? filter : { ...filter, rated: true };
  const pairs = kind === 'dpo' ? createPairing(walk, projectUid, filter, format) : undefined;
  for await (const log of walk.logs(projectUid, taken, 'oldest')) {
    const lines = pairs
      ? await pairs(log)
      : [kind === 'sft' ? sftLine(log, format, includeUnrated) : ktoLine(log)];
    for (const line of lines) if (line !== undefined) yield write(line, provenance);
  }
}

/** The pairs that begin with a log: its improvement, and the rivals of its prompt where it is the oldest of them. */
function createPairing(walk: LogWalk, projectUid: string, filter: LogFilter, format: ExportFormat) {
  const seen = new LRUCache<string, true>({ max: REMEMBERED_PROMPTS });
  const rivalsOf = async ({ record, prompt }: WalkedLog): Promise<JsonObject | undefined> => {
    if (prompt === null || record.status !== 'success' || seen.has(prompt)) return undefined;
    seen.set(prompt, true);
    const rivals = await walk.rivals(projectUid, filter, prompt);
    if (rivals?.oldest !== record._id) return undefined;
    for (const { better, worse } of rivals.pairs) {
      const logs = await Promise.all([walk.one(projectUid, better), walk.one(projectUid, worse)]);
      const pair = logs[0] && logs[1] && rivalPair(logs[0], logs[1], format);
      if (pair !== undefined) return pair;
    }
    return undefined;
  };
  return async (log: WalkedLog) => [improvementPair(log, format), await rivalsOf(log)];
}

function write({ provenance, ...line }: JsonObject, withProvenance: boolean): string {
  return `${JSON.stringify(withProvenance ? { ...line, provenance } : line)}\n`;
}
