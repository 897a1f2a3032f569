import type { ClientSession } from 'mongodb';
import type { Collections, StatMark } from '../mongodb/collections.js';
import { BY_ID, updateAll } from '../mongodb/run-writes.js';
import {
  HOUR_MS,
  MINUTE_MS,
  MINUTE_PLACE,
  MINUTES_KEPT_MS,
  type Place,
  type Places,
  placesOf,
  placesOfCell,
} from './stat-places.js';
import {
  type CountableLog,
  countsOfRun,
  exchange,
  judgement,
  keyOf,
  modelOf,
  otherReasons,
  reasonsOf,
  spent,
  UNCOUNTED,
  type Values,
} from './stat-values.js';
import { admitSeries } from './tag-series.js';

/*
 * Counts logs by the hour and by the day, so that an overview of months reads counts and no logs. A log that is not counted
 * completely records in `_counted_stats` what the counts contain of it. Counting the rest and removing the mark is one
 * transaction, as for tags.
 */

/** Paths in a count's document, and the amounts to add. */
type Additions = Map<string, number>;

interface Change {
  projectUid: string;
  /** The hour, counted since 1970. */
  hour: number;
  places: Places;
  additions: Additions;
}

/** The sums of one hour of a project: by tag, and by other places, which are JSON. */
interface HourSums {
  projectUid: string;
  hour: number;
  tags: Map<string, Change>;
  others: Map<string, Change>;
  /** The sums of logs that are alike, by their cell and error. Each of them is among the others too. */
  alike: Map<string, Alike>;
}

/** What logs of the same cell and error add to. */
interface Alike {
  /** The sum of the hour. */
  change: Change;
  /** The sums of its minutes. */
  minutes: Map<number, Change>;
}

/** What is added to one document. */
interface Spread {
  place: Place;
  additions: Additions;
  /** The additions belong to another document too, so they must not change. */
  isShared: boolean;
}

const NO_HOUR = newHour('', 0);

function newHour(projectUid: string, hour: number): HourSums {
  return { projectUid, hour, tags: new Map(), others: new Map(), alike: new Map() };
}

/** A pending change of counts. */
export type WaitingStat = [projectUid: string, hour: number, places: Places, additions: Values];

/** Sums up what many logs add to the counts, and writes it at once. */
export class StatDeltas {
  /** The changes in order of arrival. Changes of the same places are one sum until they are written. */
  #changes: Change[] = [];
  readonly #hours = new Map<string, HourSums>();
  /** The sums of the last hour, because logs of one hour arrive together. */
  #lastHour: HourSums = NO_HOUR;
  readonly #isCounted: (projectUid: string, tag: string) => boolean;

  /** `isCounted` returns false for tags that are known not to be counted over time. */
  constructor(isCounted: (projectUid: string, tag: string) => boolean = () => true) {
    this.#isCounted = isCounted;
  }

  /** The number of sums. */
  get size(): number {
    return this.#changes.length;
  }

  /** Adds a log of which nothing is counted, including its tags. */
  addNew(log: CountableLog): void {
    const values = [...exchange(log), ...judgement(log, UNCOUNTED)];
    this.#addAlike(log, values);
    this.#countPlugins(log, UNCOUNTED, []);
    for (const tag of log.tags) this.#addTag(log, tag, values);
  }

  /** Adds what the counts do not contain of a log, except the counts by tag. */
  add(log: CountableLog): void {
    const mark = log._counted_stats;
    if (mark === undefined) return;
    const judged = judgement(log, mark);
    this.#addAlike(log, mark.fresh ? [...exchange(log), ...judged] : judged);
    this.#countPlugins(log, mark, judged);
  }

  #addAlike(log: CountableLog, values: Values): void {
    const { endpoint, status, error, attempts, project_uid } = log;
    const [hour, createdMs] = [hourOf(log), log.created_at.getTime()];
    const cell = JSON.stringify([keyOf(log), endpoint, modelOf(log), status]);
    const code = error?.code ?? '';
    const { alike } = this.#hourOf(project_uid, hour);
    let sums = alike.get(cell + code);
    if (sums === undefined) {
      sums = { change: this.#changeOf(project_uid, hour, placesOfCell(log, cell, code)), minutes: new Map() };
      alike.set(cell + code, sums);
    }
    addAll(sums.change, values);
    if (createdMs > Date.now() - MINUTES_KEPT_MS) {
      const minute = Math.floor(createdMs / MINUTE_MS) % 60;
      let change = sums.minutes.get(minute);
      if (change === undefined) {
        change = this.#changeOf(project_uid, hour, [MINUTE_PLACE, `${minute} ${cell}`]);
        sums.minutes.set(minute, change);
      }
      addAll(change, values);
    }
    if (attempts.length > 1) this.#countFallbacks(log, values);
  }

  /** Counts a log by its reasons for fallbacks: how often each was the reason, besides the other counts. */
  #countFallbacks(log: CountableLog, values: Values): void {
    const isExchange = values.includes('requests');
    for (const reason of new Set(reasonsOf(log))) {
      this.#sum(log, ['fallback', reason], isExchange ? [...values, ...otherReasons(log, reason)] : values);
    }
  }

  /**
   * Counts a log by its tags. According to `_counted_stats`, they contain the log for each tag of `_counted_tags`. So each
   * step over the tags moves what is counted, and the last step, which has no `counted`, adds what came since.
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
    const taken = held.map((one) => (typeof one === 'number' ? -one : one));
    for (const tag of removed) this.#addTag(log, tag, taken);
    const late = counted === undefined ? judgement(log, mark) : [];
    if (late.length > 0) for (const tag of log.tags) this.#addTag(log, tag, late);
  }

  #addTag(log: CountableLog, tag: string, values: Values): void {
    if (this.#isCounted(log.project_uid, tag)) this.#sum(log, ['tag', tag], values);
  }

  #sum(log: CountableLog, places: Places, values: Values): void {
    addAll(this.#changeOf(log.project_uid, hourOf(log), places), values);
  }

  /** The sum for these places. */
  #changeOf(projectUid: string, hour: number, places: Places): Change {
    const sums = this.#hourOf(projectUid, hour);
    // Most logs have one model, so the model's name is the key.
    const [by, name] = places;
    const isTag = by === 'tag' && typeof name === 'string';
    const [changes, key] = isTag ? [sums.tags, name] : [sums.others, JSON.stringify(places)];
    let change = changes.get(key);
    if (change === undefined) {
      change = { projectUid, hour, places, additions: new Map() };
      changes.set(key, change);
      this.#changes.push(change);
    }
    return change;
  }

  #hourOf(projectUid: string, hour: number): HourSums {
    const { projectUid: lastProject, hour: lastHour } = this.#lastHour;
    if (projectUid === lastProject && hour === lastHour) return this.#lastHour;
    const key = `${projectUid} ${hour}`;
    const known = this.#hours.get(key) ?? newHour(projectUid, hour);
    this.#hours.set(key, known);
    this.#lastHour = known;
    return known;
  }

  /**
   * Counts a log by its plugins. A plugin has its own durations, errors and rejections; its requests are those in which it
   * ran.
   */
  #countPlugins(log: CountableLog, mark: StatMark, judged: Values): void {
    const { plugin_runs: runs } = log;
    if (runs.length === 0) return;
    const known = new Set<string>();
    for (const [index, run] of runs.entries()) {
      const { plugin } = run;
      if (run.outcome === 'skipped') continue;
      const isFirst = !known.has(plugin);
      known.add(plugin);
      if (index < mark.runs) {
        if (isFirst) this.#sum(log, ['plugin', plugin], judged);
        continue;
      }
      const values = countsOfRun(run);
      if (isFirst) values.push('requests', 1, ...spent(log), ...judgement(log, UNCOUNTED));
      this.#sum(log, ['plugin', plugin], values);
    }
  }

  /** The changes in their pending form. */
  list(): WaitingStat[] {
    return this.#changes.map(({ projectUid, hour, places, additions }) => {
      const values: Values = [];
      for (const [path, value] of additions) values.push(path, value);
      return [projectUid, hour, places, values];
    });
  }

  /** Adds pending changes. */
  addList(changes: readonly WaitingStat[]): void {
    for (const [projectUid, hour, places, values] of changes) {
      addAll(this.#changeOf(projectUid, hour, places), values);
    }
  }

  async apply(collections: Collections, session: ClientSession): Promise<void> {
    const documents = this.#spread();
    const isCounted = await this.#admit(collections, session);
    const updates: object[] = [];
    const sums = new Map<Additions, Record<string, number> | undefined>();
    for (const { place, additions } of documents.values()) {
      if (!isCounted(place)) continue;
      if (!sums.has(additions)) sums.set(additions, sumsOf(additions));
      const $inc = sums.get(additions);
      if ($inc === undefined) continue;
      const { _id, project_uid, at, bucket, by, key } = place;
      const u = { $inc, $setOnInsert: { bucket, by, key } };
      updates.push({ q: { _id, project_uid, at }, u, upsert: true, hint: BY_ID });
    }
    const { database, stats } = collections;
    if (updates.length > 0) await updateAll(database, stats.collectionName, updates, session);
    this.#changes = [];
    this.#hours.clear();
    this.#lastHour = NO_HOUR;
  }

  /**
   * The additions by document: one for the hour and one for the day of each place. All documents of a change get the same numbers,
   * so they share one map until another change adds to one of them.
   */
  #spread(): Map<string, Spread> {
    const documents = new Map<string, Spread>();
    for (const { projectUid, hour, places, additions } of this.#changes) {
      for (const place of placesOf(projectUid, hour, places)) {
        const document = documents.get(place._id);
        if (document === undefined) {
          documents.set(place._id, { place, additions, isShared: true });
          continue;
        }
        if (document.isShared) document.additions = new Map(document.additions);
        document.isShared = false;
        for (const [path, value] of additions) addTo(document.additions, path, value);
      }
    }
    return documents;
  }

  /** Tags are added to the counted ones as long as there is room. */
  async #admit(collections: Collections, session: ClientSession): Promise<(place: Place) => boolean> {
    const seen = new Map<string, Set<string>>();
    for (const { projectUid, places } of this.#changes) {
      if (places[0] !== 'tag') continue;
      const tags = seen.get(projectUid) ?? new Set();
      seen.set(projectUid, tags.add(places[1] ?? ''));
    }
    const counted = new Map<string, ReadonlySet<string>>();
    for (const [projectUid, tags] of seen) {
      counted.set(projectUid, await admitSeries(collections, projectUid, tags, session));
    }
    return ({ project_uid, by, key }) => by !== 'tag' || counted.get(project_uid)?.has(key ?? '') === true;
  }
}

const hourOf = ({ created_at }: CountableLog) => Math.floor(created_at.getTime() / HOUR_MS);

/** Adds values, which are alternately a path and an amount. */
function addAll({ additions }: Change, values: Values): void {
  for (let at = 0; at < values.length; at += 2)
    addTo(additions, values[at] as string, values[at + 1] as number);
}

/** The additions other than 0; undefined where there are none. */
function sumsOf(additions: Additions): Record<string, number> | undefined {
  const sums = [...additions].filter(([, value]) => value !== 0);
  return sums.length === 0 ? undefined : Object.fromEntries(sums);
}

function addTo(additions: Additions, path: string, value: number): void {
  additions.set(path, (additions.get(path) ?? 0) + value);
}
