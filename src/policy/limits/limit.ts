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
  /** Identifies what is counted, independent of the amount: a limit that is raised keeps its count. */
  id: string;
  /** Counted together with other engines, by leases. */
  isShared: boolean;
  projectUid: string;
}

const prepared = new WeakMap<readonly TrafficLimit[], PreparedLimit[]>();

/**
 * The limits of a project. `limits` is the same list as long as the configuration does not change. `engine` is set
 * where several processes are one engine: they share even the limits that other engines count on their own.
 */
export function prepareLimits(
  projectUid: string,
  limits: readonly TrafficLimit[],
  engine?: string,
): readonly PreparedLimit[] {
  let made = prepared.get(limits);
  if (made === undefined) {
    made = limits.map((limit) => prepare(projectUid, limit, engine));
    prepared.set(limits, made);
  }
  return made;
}

function prepare(projectUid: string, limit: TrafficLimit, engine: string | undefined): PreparedLimit {
  const kind = kindOf(limit);
  const scope = limit.shared ? 'shared' : (engine ?? 'local');
  const id = limitId(projectUid, limit, kind, scope);
  return {
    limit,
    kind,
    amount: limit[kind]!,
    id,
    isShared: limit.shared || engine !== undefined,
    projectUid,
  };
}

export function kindOf(limit: TrafficLimit): LimitedKind {
  const kind = LIMITED.find((name) => limit[name] !== undefined);
  if (kind === undefined) throw new Error('a limit without an amount');
  return kind;
}

/** Sixteen characters that stay the same as long as the same thing is counted. */
function limitId(
  projectUid: string,
  { per, window, when }: TrafficLimit,
  kind: LimitedKind,
  scope: string,
): string {
  const told = [projectUid, per, kind, window ?? null, sorted(when ?? null), scope];
  return digest(JSON.stringify(told));
}

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
 * The limits that count this request, each for one subject. A limit by a metadata key that the request lacks counts
 * nothing.
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

/** A key that is replaced, in the API or in the file, does not inherit the usage of the old one. */
export function keySubject({ id, hash, managed_by }: RequestFacts['key']): string {
  return managed_by === 'file' ? `${id}:${hash.slice(0, 8)}` : id;
}

/** As a filter of logs writes it. Lists and maps count by their JSON. */
function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Subjects can be names of people, and as long as a client likes, so only a digest is kept. */
export function counterKey(limit: PreparedLimit, subject: string): string {
  return `${limit.id}/${subject.length <= 40 && !limit.limit.per.startsWith('metadata.') ? subject : digest(subject)}`;
}
