import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../../core/json.js';
import { backgroundPace } from '../../../core/pacing/background-work.js';
import { stringifyInSteps } from '../../../core/pacing/json-in-pieces.js';
import { inTurns, type Steps } from '../../../core/pacing/steps.js';
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

/** Runs a part of an export in turns with other work. */
type Run = <Result>(steps: Steps<Result>) => Promise<Result>;

/** The lines of an export, oldest log first. Memory does not grow with the number of logs. */
export async function* exportLines(
  { walk, checkImprovement, leftOut }: ExportSource,
  projectUid: string,
  filter: LogFilter,
  request: ExportRequest,
): AsyncGenerator<string> {
  const { kind, format, includeUnrated, provenance } = request;
  const taken: LogFilter = kind === 'sft' && includeUnrated ? filter : { ...filter, rated: true };
  const pace = backgroundPace();
  const run: Run = (steps) => inTurns(steps, pace);
  const pairs = kind === 'dpo' ? createPairing(walk, projectUid, filter, format, run) : undefined;
  for await (const walked of walk.logs(projectUid, taken, 'oldest')) {
    const rest = pace.pause();
    if (rest !== undefined) await rest;
    const log = await withoutMisfits(walked, checkImprovement, leftOut);
    if (log === undefined) continue;
    const lines = pairs
      ? await pairs(log)
      : [await run(kind === 'sft' ? sftLine(log, format, includeUnrated) : ktoLine(log))];
    for (const line of lines) {
      if (line === undefined) continue;
      if (await run(isMixed(log, line))) leftOut.mixed_forms++;
      else yield await run(write(line, provenance));
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
function* isMixed({ record }: WalkedLog, line: JsonObject): Steps<boolean> {
  const { messages } = line;
  const answers = Array.isArray(messages) ? [messages.at(-1)] : ANSWERS.map((name) => line[name]);
  for (const answer of answers) {
    if (answer === undefined) continue;
    if (yield* isOfAnotherForm(record, yield* stringifyInSteps(answer))) return true;
  }
  return false;
}

/**
 * The pairs that a log begins: one with its improvement, and where it is the oldest log of its prompt, those with the
 * other answers to the prompt.
 */
function createPairing(walk: LogWalk, projectUid: string, filter: LogFilter, format: ExportFormat, run: Run) {
  const seen = new LRUCache<string, true>({ max: REMEMBERED_PROMPTS });
  const rivalsOf = async ({ record, prompt }: WalkedLog): Promise<JsonObject | undefined> => {
    if (prompt === null || record.status !== 'success' || seen.has(prompt)) return undefined;
    seen.set(prompt, true);
    const rivals = await walk.rivals(projectUid, filter, prompt);
    if (rivals?.oldest !== record._id) return undefined;
    for (const { better, worse } of rivals.pairs) {
      const logs = await Promise.all([walk.one(projectUid, better), walk.one(projectUid, worse)]);
      const pair = logs[0] && logs[1] && (await run(rivalPair(logs[0], logs[1], format)));
      if (pair !== undefined) return pair;
    }
    return undefined;
  };
  return async (log: WalkedLog) => [await run(improvementPair(log, format)), await rivalsOf(log)];
}

/** The provenance is the last member of a line. */
function* write(line: JsonObject, withProvenance: boolean): Steps<string> {
  const { provenance: _provenance, ...rest } = line;
  return `${yield* stringifyInSteps(withProvenance ? line : rest)}\n`;
}
