import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../../core/json.js';
import { Pace } from '../../../core/pacing/pace.js';
import { improvementPair, rivalPair } from '../../../logs/export/dpo.js';
import { ktoLine } from '../../../logs/export/kto.js';
import { isOfAnotherForm } from '../../../logs/export/one-form.js';
import { improvementOf } from '../../../logs/export/rated-log.js';
import { type ExportFormat, sftLine } from '../../../logs/export/sft.js';
import type { CheckImprovement } from '../../../logs/improvement.js';
import type { LogWalk, WalkedLog } from '../../../store/logs/log-walk.js';
import type { LogFilter } from '../../../store/logs/search/log-filter.js';

export interface ExportRequest {
  kind: 'sft' | 'dpo' | 'kto';
  format: ExportFormat;
  includeUnrated: boolean;
  provenance: boolean;
}

/**
 * Prompts whose pair was written already, so that a prompt with many logs is compared once. Beyond this number the
 * comparison is only repeated.
 */
const REMEMBERED_PROMPTS = 100_000;

/** The numbers of lines that were left out, by reason. */
export interface LeftOut {
  /** The prompt contains real names while the answer contains placeholders for them. */
  mixed_forms: number;
  /** The improved answer does not match the JSON Schema of its request. */
  invalid_improvement: number;
}

export interface ExportSource {
  walk: LogWalk;
  checkImprovement: CheckImprovement;
  /** Counts the lines that are left out. */
  leftOut: LeftOut;
}

/** The lines of an export, oldest log first. Memory does not grow with the number of logs. */
export async function* exportLines(
  { walk, checkImprovement, leftOut }: ExportSource,
  projectUid: string,
  filter: LogFilter,
  request: ExportRequest,
): AsyncGenerator<string> {
  const { kind, format, includeUnrated, provenance } = request;
  const taken: LogFilter = kind === 'sft' && includeUnrated ? filter : { ...filter, rated: true };
  const pairs = kind === 'dpo' ? createPairing(walk, projectUid, filter, format) : undefined;
  const pace = new Pace();
  for await (const walked of walk.logs(projectUid, taken, 'oldest')) {
    const rest = pace.pause();
    if (rest !== undefined) await rest;
    const log = await withoutMisfits(walked, checkImprovement, leftOut);
    if (log === undefined) continue;
    const lines = pairs
      ? await pairs(log)
      : [kind === 'sft' ? sftLine(log, format, includeUnrated) : ktoLine(log)];
    for (const line of lines) {
      if (line === undefined) continue;
      if (isMixed(log, line)) leftOut.mixed_forms++;
      else yield write(line, provenance);
    }
  }
}

/**
 * The log without texts that may not be exported; undefined where its improvement does not match its schema, so that
 * no good answer is known.
 */
async function withoutMisfits(
  log: WalkedLog,
  checkImprovement: CheckImprovement,
  leftOut: LeftOut,
): Promise<WalkedLog | undefined> {
  const improvement = improvementOf(log);
  if (improvement === undefined) return log;
  if ((await checkImprovement(log.record, improvement)) === undefined) return log;
  leftOut.invalid_improvement++;
  return undefined;
}

const ANSWERS = ['preferred_output', 'non_preferred_output', 'chosen', 'rejected', 'completion'];

/** Whether the prompt of a line contains real values while an answer contains placeholders, or the other way round. */
function isMixed({ record }: WalkedLog, line: JsonObject): boolean {
  const { messages } = line;
  const answers = Array.isArray(messages) ? [messages.at(-1)] : ANSWERS.map((name) => line[name]);
  return answers.some((answer) => answer !== undefined && isOfAnotherForm(record, JSON.stringify(answer)));
}

/**
 * The pairs that a log begins: one with its improvement, and where it is the oldest log of its prompt, those with the
 * other answers to the prompt.
 */
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

/** The provenance is the last member of a line. */
function write(line: JsonObject, withProvenance: boolean): string {
  if (withProvenance) return `${JSON.stringify(line)}\n`;
  const { provenance: _provenance, ...rest } = line;
  return `${JSON.stringify(rest)}\n`;
}
