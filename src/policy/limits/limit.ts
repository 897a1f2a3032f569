import { hash } from 'node:crypto';
import type { ApiKey } from '../../core/directory.js';
import type { JsonObject, JsonValue } from '../../core/json.js';
import { LIMITED, type LimitedKind, type TrafficLimit } from '../../core/settings.js';
import { matches } from '../../routing/match.js';

/** What is known about a request when its limits are checked. */
export interface RequestFacts {
  projectUid: string;
  key: Pick<ApiKey, 'id' | 'hash' | 'managed_by'>;
  endpoint: string;
  tags: readonly string[];
  metadata: JsonObject;
}

/** A limit of a project, with values that are computed once. */
export interface PreparedLimit {
  limit: TrafficLimit;
  kind: LimitedKind;
  /** The amount that is allowed. */
  amount: number;
  /** Identifies what is counted. It does not depend on the amount, so a limit that is raised keeps its count. */
  id: string;
  /** Whether it is counted together with other engines, by leases. */
  isShared: boolean;
  projectUid: string;
}

const prepared = new WeakMap<readonly TrafficLimit[], PreparedLimit[]>();

/**
 * The prepared limits of a project. `limits` is the same list as long as the configuration does not change. `parted`:
 * several processes are one engine, so they share even the limits that are counted by each engine.
 */
export function prepareLimits(
  projectUid: string,
  limits: readonly TrafficLimit[],
  parted = false,
): readonly PreparedLimit[] {
  let made = prepared.get(limits);
  if (made === undefined) {
    const before = new Map<string, number>();
    made = limits.map((limit) => {
      const kind = kindOf(limit);
      const counted = countedBy(projectUid, limit, kind);
      // Two limits that count the same, such as one that warns and one that rejects, have separate counters.
      const number = before.get(counted) ?? 0;
      before.set(counted, number + 1);
      const id = digest(number === 0 ? counted : `${counted}/${number}`);
      return { limit, kind, amount: limit[kind]!, id, isShared: limit.shared || parted, projectUid };
    });
    prepared.set(limits, made);
  }
  return made;
}

export function kindOf(limit: TrafficLimit): LimitedKind {
  const kind = LIMITED.find((name) => limit[name] !== undefined);
  if (kind === undefined) throw new Error('a limit without an amount');
  return kind;
}

/** A text that stays the same as long as the same thing is counted. */
function countedBy(
  projectUid: string,
  { per, window, when, shared }: TrafficLimit,
  kind: LimitedKind,
): string {
  return JSON.stringify([projectUid, per, kind, window ?? null, sorted(when ?? null), shared]);
}

/** A digest of sixteen characters. */
function digest(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 16);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

/**
 * The limits that count this request, each with one subject. A limit by a metadata key that the request lacks does
 * not count it.
 */
export function* limitsOf(
  limits: readonly PreparedLimit[],
  facts: RequestFacts,
): Generator<{ limit: PreparedLimit; subject: string }> {
  for (const limit of limits) {
    if (!matches(limit.limit.when, facts.tags, facts.metadata)) continue;
    const { per } = limit.limit;
    if (per === 'tag') {
      for (const tag of facts.tags) yield { limit, subject: tag };
    } else {
      const subject = subjectOf(per, facts);
      if (subject !== undefined) yield { limit, subject };
    }
  }
}

function subjectOf(per: string, facts: RequestFacts): string | undefined {
  switch (per) {
    case 'project':
      return '';
    case 'key':
      return keySubject(facts.key);
    case 'endpoint':
      return facts.endpoint;
    default: {
      const name = per.slice('metadata.'.length);
      return Object.hasOwn(facts.metadata, name) ? textOf(facts.metadata[name]!) : undefined;
    }
  }
}

/** The subject of a key. A key that is replaced, in the API or in the file, does not inherit the usage of the old one. */
export function keySubject({ id, hash, managed_by }: RequestFacts['key']): string {
  return managed_by === 'file' ? `${id}:${hash.slice(0, 8)}` : id;
}

/** A value as a filter of logs writes it. Lists and maps count by their JSON. */
function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The key of a counter. Subjects can be names of people, and clients can make them very long, so only a digest is kept. */
export function counterKey(limit: PreparedLimit, subject: string): string {
  return `${limit.id}/${subject.length <= 40 && !limit.limit.per.startsWith('metadata.') ? subject : digest(subject)}`;
}

/** The id of the limit whose counter has this key. */
export function limitIdOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}
