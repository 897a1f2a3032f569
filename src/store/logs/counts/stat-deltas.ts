import type { AnyBulkWriteOperation, ClientSession } from 'mongodb';
import type { PluginRun } from '../../../core/log-record.js';
import { stepOf } from '../../../logs/latency-histogram.js';
import type {
  Collections,
  LogDocument,
  StatChange,
  StatDocument,
  StatMark,
} from '../../mongodb/collections.js';
import { admitSeries } from './tag-series.js';

/*
 * What is counted of logs, by hour and by day: so an overview of months reads counts, and never logs. A log that is
 * not counted whole says in `_counted_stats` what the counts hold of it; counting it and taking the mark away is one
 * transaction, the same as for tags.
 */

export const STAT_DIMENSIONS = ['endpoint', 'model', 'status', 'plugin', 'tag', 'error', 'fallback'] as const;
export type StatDimension = (typeof STAT_DIMENSIONS)[number];
export type StatBucket = 'hour' | 'day';

/** The mark of a log of which nothing is counted. */
export const UNCOUNTED: StatMark = { fresh: true, runs: 0, feedback: 0, score: null };

/** An aggregation expression, for an update of what is counted: the mark that the log has, or of all that it held. */
export const STATS_BEHIND = {
  $ifNull: [
    '$_counted_stats',
    { runs: { $size: '$plugin_runs' }, feedback: '$feedback_count', score: '$score' },
  ],
};

/** What must be read of a log to count it. */
export const STAT_FIELDS = {
  created_at: 1,
  endpoint: 1,
  model: 1,
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

export type CountableLog = Pick<
  LogDocument,
  | 'project_uid'
  | 'created_at'
  | 'endpoint'
  | 'model'
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

/** Paths in the document of a count, and what is added there. */
type Additions = Map<string, number>;

interface Delta {
  document: StatChange['document'];
  additions: Additions;
}

const HOUR_MS = 3_600_000;
export const BUCKET_MS = { hour: HOUR_MS, day: 24 * HOUR_MS } as const satisfies Record<StatBucket, number>;

type Several = 'tag' | 'plugin';

/** Longer codes are of providers, and nobody looks for them. */
const LONGEST_CODE = 100;

/** What many logs add to the counts, summed up and then written in one go. */
export class StatDeltas {
  readonly #deltas = new Map<string, Delta>();
  /** By project, hour and what it is counted by beside plugins and tags: not in `#deltas` yet. */
  readonly #alike = new Map<string, { log: CountableLog; left: string[]; additions: Additions }>();
  /** By project, hour, and tag or plugin, of which a log has several: not in `#deltas` yet. */
  readonly #several = new Map<
    string,
    { log: CountableLog; by: Several; key: string; additions: Additions }
  >();
  readonly #isCounted: (projectUid: string, tag: string) => boolean;

  /** `isCounted` is false for tags that are known not to be counted over time. */
  constructor(isCounted: (projectUid: string, tag: string) => boolean = () => true) {
    this.#isCounted = isCounted;
  }

  /** Adds what the counts do not hold of a log, all but what they count by tag. */
  add(log: CountableLog): void {
    const mark = log._counted_stats;
    if (mark === undefined) return;
    const judged = judgement(log, mark);
    const counted = mark.fresh ? [...exchange(log), ...judged] : judged;
    this.#addAlike(log, counted);
    this.#countPlugins(log, mark, judged);
  }

  /** Most logs that land together are counted in the same places: their sums are made first. */
  #addAlike(log: CountableLog, values: readonly [string, number][]): void {
    const { project_uid, status, endpoint, model, error } = log;
    const left = reasonsOf(log);
    const key = JSON.stringify([project_uid, hourOf(log), status, endpoint, model, error?.code, left]);
    let alike = this.#alike.get(key);
    if (alike === undefined) {
      alike = { log, left, additions: new Map() };
      this.#alike.set(key, alike);
    }
    sumInto(alike.additions, values);
  }

  /**
   * Counts by tag hold a log for each tag of `_counted_tags`, as far as `_counted_stats` says. So a step of the tags
   * moves it as it was counted, and the last step, which has no `counted`, brings what came since.
   */
  addTags(
    log: CountableLog,
    { added, removed, counted }: { added: readonly string[]; removed: readonly string[]; counted?: string[] },
  ): void {
    const mark = log._counted_stats;
    if (mark === undefined) return;
    const held = [
      ...exchange(log),
      ...judgement({ feedback_count: mark.feedback, score: mark.score }, UNCOUNTED),
    ];
    for (const tag of added) this.#addTag(log, tag, held);
    const taken = removed.length === 0 ? [] : held.map(([path, value]): [string, number] => [path, -value]);
    for (const tag of removed) this.#addTag(log, tag, taken);
    const late = counted === undefined ? judgement(log, mark).filter(([, value]) => value !== 0) : [];
    if (late.length > 0) for (const tag of log.tags) this.#addTag(log, tag, late);
  }

  #addTag(log: CountableLog, tag: string, values: readonly [string, number][]): void {
    if (this.#isCounted(log.project_uid, tag)) this.#addSeveral(log, 'tag', tag, values);
  }

  #addSeveral(log: CountableLog, by: Several, key: string, values: readonly [string, number][]): void {
    const place = `${log.project_uid} ${hourOf(log)} ${by} ${key}`;
    let sums = this.#several.get(place);
    if (sums === undefined) {
      sums = { log, by, key, additions: new Map() };
      this.#several.set(place, sums);
    }
    sumInto(sums.additions, values);
  }

  #spread(): void {
    for (const { log, left, additions } of this.#alike.values()) {
      const sums = [...additions];
      this.#count(log, 'all', null, sums);
      for (const by of ['endpoint', 'model', 'status'] as const) this.#count(log, by, log[by], sums);
      const code = log.error?.code ?? '';
      if (code !== '' && code.length <= LONGEST_CODE) this.#count(log, 'error', code, sums);
      for (const reason of new Set(left)) {
        const fallbacks = left.filter((one) => one === reason).length * (additions.get('requests') ?? 0);
        this.#count(log, 'fallback', reason, [...new Map(sums).set('fallbacks', fallbacks)]);
      }
    }
    this.#alike.clear();
    for (const { log, by, key, additions } of this.#several.values()) {
      this.#count(log, by, key, [...additions]);
    }
    this.#several.clear();
  }

  /** A plugin has its own durations, errors and rejections; its requests are those that it ran on. */
  #countPlugins(log: CountableLog, mark: StatMark, judged: [string, number][]): void {
    const ran = (runs: CountableLog['plugin_runs']) => runs.filter(({ outcome }) => outcome !== 'skipped');
    const known = new Set(ran(log.plugin_runs.slice(0, mark.runs)).map(({ plugin }) => plugin));
    for (const plugin of known) this.#addSeveral(log, 'plugin', plugin, judged);
    for (const { plugin, outcome, observed, duration_ms } of ran(log.plugin_runs.slice(mark.runs))) {
      this.#addSeveral(log, 'plugin', plugin, [
        ['rejected', outcome === 'rejected' && !observed ? 1 : 0],
        ['errors', outcome === 'error' || outcome === 'timeout' ? 1 : 0],
        [`latency.${stepOf(duration_ms)}`, 1],
      ]);
      if (known.has(plugin)) continue;
      known.add(plugin);
      this.#addSeveral(log, 'plugin', plugin, [['requests', 1], ...spent(log), ...judgement(log, UNCOUNTED)]);
    }
  }

  #count(log: CountableLog, by: StatDocument['by'], key: string | null, values: [string, number][]): void {
    for (const bucket of ['hour', 'day'] as const) {
      const start = Math.floor(log.created_at.getTime() / BUCKET_MS[bucket]) * BUCKET_MS[bucket];
      const _id = JSON.stringify([log.project_uid, bucket, start, by, key]);
      this.#add({ _id, project_uid: log.project_uid, bucket, by, at: new Date(start), key }, values);
    }
  }

  /** The changes as they wait for being applied. */
  list(): StatChange[] {
    this.#spread();
    return [...this.#deltas.values()].map(({ document, additions }) => ({
      document,
      additions: [...additions],
    }));
  }

  /** Adds changes that waited. */
  addList(changes: readonly StatChange[]): void {
    for (const { document, additions } of changes) this.#add(document, additions);
  }

  #add(document: StatChange['document'], values: readonly [string, number][]): void {
    let delta = this.#deltas.get(document._id);
    if (delta === undefined) {
      delta = { document, additions: new Map() };
      this.#deltas.set(document._id, delta);
    }
    sumInto(delta.additions, values);
  }

  async apply(collections: Collections, session?: ClientSession): Promise<void> {
    const { stats } = collections;
    this.#spread();
    const isCounted = await this.#admit(collections, session);
    const writes: AnyBulkWriteOperation<StatDocument>[] = [];
    for (const { document, additions } of this.#deltas.values()) {
      if (!isCounted(document)) continue;
      const sums = [...additions].filter(([, value]) => value !== 0);
      if (sums.length === 0) continue;
      const { _id, project_uid, at, bucket, by, key } = document;
      const update = { $inc: Object.fromEntries(sums), $setOnInsert: { bucket, by, key } };
      writes.push({
        updateOne: { filter: { _id, project_uid, at }, update: update as object, upsert: true },
      });
    }
    if (writes.length > 0) await stats.bulkWrite(writes, { session, ordered: false });
    this.#deltas.clear();
  }

  /** Tags become counted ones while there is room for them. */
  async #admit(
    collections: Collections,
    session?: ClientSession,
  ): Promise<(document: StatChange['document']) => boolean> {
    const seen = new Map<string, Set<string>>();
    for (const { document } of this.#deltas.values()) {
      if (document.by !== 'tag') continue;
      const tags = seen.get(document.project_uid) ?? new Set();
      seen.set(document.project_uid, tags.add(document.key ?? ''));
    }
    const counted = new Map<string, ReadonlySet<string>>();
    for (const [projectUid, tags] of seen) {
      counted.set(projectUid, await admitSeries(collections, projectUid, tags, session));
    }
    return ({ project_uid, by, key }) => by !== 'tag' || counted.get(project_uid)?.has(key ?? '') === true;
  }
}

const hourOf = ({ created_at }: CountableLog) => Math.floor(created_at.getTime() / HOUR_MS);

function sumInto(sums: Additions, values: readonly [string, number][]): void {
  for (const [path, value] of values) {
    if (value !== 0) sums.set(path, (sums.get(path) ?? 0) + value);
  }
}

/** Why each model but the last was left. */
function reasonsOf({ attempts }: CountableLog): string[] {
  return attempts.slice(0, -1).flatMap(({ status }) => (status === undefined ? [] : [status]));
}

/** What a log adds once, however it is judged later. */
function exchange(log: CountableLog): [string, number][] {
  const { status, attempts, timing } = log;
  const first = timing.time_to_first_token_ms;
  return [
    ['requests', 1],
    ['errors', status === 'error' ? 1 : 0],
    ['invalid', status === 'invalid_output' ? 1 : 0],
    ['rejected', status === 'rejected' ? 1 : 0],
    ['fallbacks', Math.max(0, attempts.length - 1)],
    [`latency.${stepOf(timing.total_ms)}`, 1],
    ...(first === null ? [] : [[`first_token.${stepOf(first)}`, 1] as [string, number]]),
    ...spent(log),
  ];
}

function spent({ usage, cost }: CountableLog): [string, number][] {
  return [
    ['input_tokens', usage?.input_tokens ?? 0],
    ['output_tokens', usage?.output_tokens ?? 0],
    ['cost', cost ?? 0],
    // So that a sum of unknown costs is unknown, and not nothing.
    ['priced', cost === null ? 0 : 1],
  ];
}

/** What changed since the log was counted. */
function judgement(
  { feedback_count, score }: Pick<CountableLog, 'feedback_count' | 'score'>,
  mark: StatMark,
): [string, number][] {
  return [
    ['feedback', feedback_count - mark.feedback],
    ['scores', (score ?? 0) - (mark.score ?? 0)],
    ['scored', (score === null ? 0 : 1) - (mark.score === null ? 0 : 1)],
  ];
}
