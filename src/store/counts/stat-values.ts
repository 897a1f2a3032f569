import type { PluginRun } from '../../core/log-record.js';
import { STEPS, stepOf } from '../../logs/latency-histogram.js';
import type { LogDocument, StatMark } from '../mongodb/collections.js';

/* What one log adds to the counts, as paths in their documents and numbers. */

/** The mark of a log of which nothing is counted. */
export const UNCOUNTED: StatMark = { fresh: true, runs: 0, feedback: 0, score: null };

export type CountableLog = Pick<
  LogDocument,
  | 'project_uid'
  | 'created_at'
  | 'caller'
  | 'endpoint'
  | 'model'
  | '_last_model'
  | 'status'
  | 'usage'
  | 'cost'
  | 'timing'
  | 'tags'
  | 'feedback_count'
  | 'score'
  | '_counted_stats'
> & {
  attempts: readonly { status?: string }[];
  error: { code: string } | null;
  plugin_runs: readonly Pick<PluginRun, 'plugin' | 'outcome' | 'observed' | 'duration_ms'>[];
};

/**
 * An aggregation expression for updates of counted fields: the existing mark, or one for everything that the log had.
 */
export const STATS_BEHIND = {
  $ifNull: [
    '$_counted_stats',
    { runs: { $size: '$plugin_runs' }, feedback: '$feedback_count', score: '$score' },
  ],
};

/** The fields of a log that are needed to count it. */
export const STAT_FIELDS = {
  created_at: 1,
  caller: 1,
  endpoint: 1,
  model: 1,
  _last_model: 1,
  status: 1,
  'attempts.status': 1,
  'plugin_runs.plugin': 1,
  'plugin_runs.outcome': 1,
  'plugin_runs.observed': 1,
  'plugin_runs.duration_ms': 1,
  usage: 1,
  cost: 1,
  timing: 1,
  'error.code': 1,
  feedback_count: 1,
  score: 1,
  _counted_stats: 1,
} as const;

/** Alternately a path and the amount to add. No amount is 0. */
export type Values = (string | number)[];

/** The paths of histogram steps, created once, because building them for each log is slower. */
export const LATENCIES = Array.from({ length: STEPS }, (_none, step) => `latency.${step}`);
const FIRST_TOKENS = Array.from({ length: STEPS }, (_none, step) => `first_token.${step}`);

/** The name of the key that sent the request. Other callers have no key. */
export function keyOf({ caller }: Pick<CountableLog, 'caller'>): string | null {
  return caller?.startsWith('key:') ? caller.slice('key:'.length) : null;
}

/** The model that answered, or the one that was tried last where none did; null where none was asked. */
export function modelOf({ model, _last_model }: Pick<CountableLog, 'model' | '_last_model'>): string | null {
  return model ?? _last_model ?? null;
}

/** Everything that a log adds to a count, alternately a path and a number. */
export function countsOf(log: CountableLog): Values {
  return [...exchange(log), ...judgement(log, UNCOUNTED)];
}

/** The same by plugin: durations, errors and rejections are those of its runs. */
export function countsOfPlugin(log: CountableLog, plugin: string): Values {
  const runs = log.plugin_runs.filter((run) => run.plugin === plugin && run.outcome !== 'skipped');
  return ['requests', 1, ...spent(log), ...judgement(log, UNCOUNTED), ...runs.flatMap(countsOfRun)];
}

/** What a run adds to the counts of its plugin. */
export function countsOfRun({ outcome, observed, duration_ms }: CountableLog['plugin_runs'][number]): Values {
  const values: Values = [LATENCIES[stepOf(duration_ms)]!, 1];
  if (outcome === 'rejected' && !observed) values.push('rejected', 1);
  if (outcome === 'error' || outcome === 'timeout') values.push('errors', 1);
  return values;
}

/** The same by reason: `fallbacks` are those for this reason. */
export function countsOfReason(log: CountableLog, reason: string): Values {
  return [...countsOf(log), ...otherReasons(log, reason)];
}

/** Takes the fallbacks for other reasons out of all fallbacks of a log. */
export function otherReasons(log: Pick<CountableLog, 'attempts'>, reason: string): Values {
  const times = reasonsOf(log).filter((one) => one === reason).length;
  const values: Values = [];
  put(values, 'fallbacks', times - (log.attempts.length - 1));
  return values;
}

/** The reason for each fallback. */
export function reasonsOf({ attempts }: Pick<CountableLog, 'attempts'>): string[] {
  return attempts.slice(0, -1).flatMap(({ status }) => (status === undefined ? [] : [status]));
}

/** What a log adds once, whatever people say about it later. */
export function exchange(log: CountableLog): Values {
  const { status, attempts, timing } = log;
  const values: Values = ['requests', 1, LATENCIES[stepOf(timing.total_ms)]!, 1, ...spent(log)];
  if (status === 'error') values.push('errors', 1);
  if (status === 'invalid_output') values.push('invalid', 1);
  if (status === 'rejected') values.push('rejected', 1);
  put(values, 'fallbacks', Math.max(0, attempts.length - 1));
  const first = timing.time_to_first_token_ms;
  if (first !== null) values.push(FIRST_TOKENS[stepOf(first)]!, 1);
  return values;
}

export function spent({ usage, cost }: CountableLog): Values {
  const values: Values = [];
  put(values, 'input_tokens', usage?.input_tokens ?? 0);
  put(values, 'output_tokens', usage?.output_tokens ?? 0);
  put(values, 'cost', cost ?? 0);
  // This lets a sum of unknown costs be unknown rather than nothing.
  if (cost !== null) values.push('priced', 1);
  return values;
}

/** What changed in the judgement of the log since it was counted. */
export function judgement(
  { feedback_count, score }: Pick<CountableLog, 'feedback_count' | 'score'>,
  mark: StatMark,
): Values {
  const values: Values = [];
  put(values, 'feedback', feedback_count - mark.feedback);
  put(values, 'scores', (score ?? 0) - (mark.score ?? 0));
  put(values, 'scored', (score === null ? 0 : 1) - (mark.score === null ? 0 : 1));
  return values;
}

function put(values: Values, path: string, value: number): void {
  if (value !== 0) values.push(path, value);
}
