import type { Binary, Collection, Db, MongoClient } from 'mongodb';
import type { JsonObject } from '../../core/json.js';
import type { LogRecord, PluginRun } from '../../core/log-record.js';
import type { Scope, Search } from '../../core/settings.js';
import type { FragmentDocument, PackedRequest } from './fragment-documents.js';
import type { JudgementDocument, JudgingDocument } from './judging-documents.js';
import { createGuard, type Guarded } from './storage-errors.js';

/** JSON that BSON would not return unchanged. It is stored as text, or in compressed parts beside the document. */
export type Packed = { json: string } | { parts: number };

export type PackedField = 'request' | 'response' | 'client_response' | 'metadata';

/** A plugin run. `_json` is the whole run as text, where BSON would not return it unchanged. */
export type StoredPluginRun = PluginRun & { _json?: string };

export interface AppliedSignal {
  id: string;
  score: number;
  weight: number;
  /** The size of the whole signal; absent in signals that older versions joined. */
  bytes?: number;
}

/** A log in the form in which MongoDB stores it: the fields of a log record, and fields of our own with an underscore. */
export interface LogDocument extends Omit<LogRecord, 'plugin_runs'> {
  plugin_runs: StoredPluginRun[];
  /** The words that `q` finds, where its project has an index of words. */
  _words?: string[];
  /** The terms for its metadata that its tags do not contain; all terms in logs of older versions. */
  _metadata_terms?: string[];
  /** A hash of the conversation: equal prompts have equal hashes. */
  _prompt: string | null;
  /** Its reasons for fallbacks; absent where there were none. */
  _fallbacks?: string[];
  /**
   * The model of its last attempt, where no model answered. Absent where one did, where none was asked, and in logs of
   * older versions.
   */
  _last_model?: string;
  /** The plugins that rejected it; absent where none did. */
  _rejected_by?: string[];
  /** Its tokens, input and output together; absent where they are not known, and in logs of older versions. */
  _tokens?: number;
  /** The types of its findings; absent where there are none, and in logs of older versions. */
  _findings?: string[];
  /** Who judged it in which named queue, in the form of `judgedMark`; absent where nobody did. */
  _judged?: string[];
  /** How many people judged it, by the name of the queue. */
  _judges?: Record<string, number>;
  /** The signals that `feedback_count` and `score` are computed from. */
  _signals: AppliedSignal[];
  /**
   * Present while the tag counts, including their pending changes, differ from the log's tags: the tags that they contain.
   */
  _counted_tags?: string[];
  /** How often people changed its metadata, tags or rating. Absent before the first change. */
  _revision?: number;
  /** Present, beside `_counted_tags`, while the hourly counts do not contain the whole log. */
  _counted_stats?: StatMark;
  /** Hashes of the applied amendments. */
  _amendments?: string[];
  /** Present beside `_log_phase_due`. Until this time the LOG phase belongs to the process that runs it. */
  _log_phase_claimed_until?: Date;
  /** The engine that runs the LOG phase. Absent once another process, or that engine after a restart, has resumed it. */
  _log_phase_engine?: string;
  _packed?: Partial<Record<Exclude<PackedField, 'request'>, Packed>> & { request?: Packed | PackedRequest };
}

/** What the hourly counts contain of a log. */
export interface StatMark {
  /** Set where they contain nothing of it. */
  fresh?: true;
  /** The number of its counted plugin runs. Runs are only ever appended. */
  runs: number;
  /** The number of its counted signals. */
  feedback: number;
  score: number | null;
}

/**
 * What happened in a minute, an hour or a day, for one key of one kind. `cell` is one combination of key, endpoint, model and
 * status, as the JSON of a list. An absent number is 0.
 */
export interface StatDocument {
  _id: string;
  project_uid: string;
  bucket: 'minute' | 'hour' | 'day';
  by: 'all' | 'endpoint' | 'model' | 'status' | 'key' | 'plugin' | 'tag' | 'error' | 'fallback' | 'cell';
  at: Date;
  key: string | null;
  requests?: number;
  errors?: number;
  fallbacks?: number;
  invalid?: number;
  rejected?: number;
  input_tokens?: number;
  output_tokens?: number;
  cost?: number;
  /** The number of logs with a known cost. */
  priced?: number;
  feedback?: number;
  /** The sum of the scores, and the number of logs with one. */
  scores?: number;
  scored?: number;
  latency?: Record<string, number>;
  first_token?: Record<string, number>;
}

/** A piece of a gzipped JSON body that is too large for its log. */
export interface BodyPart {
  _id: string;
  project_uid: string;
  log_id: string;
  data: Binary;
}

export interface FeedbackSignal {
  score: number;
  weight: number;
  improvement: { role: string; content: string } | null;
  qualitative_feedback: string | null;
  signal_name: string | null;
  signal_source: 'system' | 'user';
  signal_type: 'explicit' | 'implicit';
  metadata: JsonObject | null;
}

export interface FeedbackDocument extends FeedbackSignal {
  _id: string;
  project_uid: string;
  log_id: string;
  created_at: Date;
  /**
   * Present while the signal is not part of its log's score, because its log has not arrived or a process died in between.
   */
  _pending?: true;
  _metadata_json?: string;
}

/** The first answer to a call with an Idempotency-Key. */
export interface IdempotencyDocument {
  _id: { project_uid: string; key: string };
  request_hash: string;
  feedback_id: string;
  done: boolean;
  created_at: Date;
}

export interface TagCountDocument {
  _id: { project_uid: string; tag: string };
  project_uid: string;
  tag: string;
  count: number;
}

/** The tags of a project that are counted by the hour. */
export interface TagSeriesDocument {
  /** The project's uid. */
  _id: string;
  tags: readonly string[];
  /** Metadata keys with too many values to be counted. */
  refused: readonly string[];
  /** How many tags were ever in `tags`. */
  admitted: number;
  /** Whether no further tag is added. */
  full: boolean;
}

/** What a batch of logs adds to the counts and was not added yet. */
export interface PendingCountsDocument {
  _id: string;
  /**
   * The JSON of `CountChanges` (counts/count-deltas.ts). MongoDB and the driver handle text fast, but not thousands of
   * numbers.
   */
  changes: string;
}

/** The form in version 0.1.0. Such documents may still be pending. */
export interface OldPendingCountsDocument {
  _id: string;
  tags: { project_uid: string; tag: string; count: number }[];
  stats: {
    document: Pick<StatDocument, '_id' | 'project_uid' | 'bucket' | 'by' | 'at' | 'key'>;
    additions: [path: string, value: number][];
  }[];
}

export interface ProjectDocument {
  _id: string;
  name: string;
  enabled: boolean;
  retention_days: number | null;
  schema_version?: number;
  search?: Search;
  /** The JSON of its limits, because `when` can have any keys. Absent or null means none. */
  limits?: string | null;
  cors?: { origins: string[] } | null;
  revision: number;
  created_at: Date;
  updated_at: Date;
}

/** A project that was in the file once. */
export interface RememberedProjectDocument {
  _id: string;
  name: string;
}

export interface KeyDocument {
  _id: string;
  project_uid: string;
  name: string;
  hash: string;
  prefix: string;
  scopes: Scope[];
  /** The endpoints that the key may call. Absent or null means every endpoint. */
  endpoints?: string[] | null;
  /** When the key expires. Absent or null means never. */
  expires_at?: Date | null;
  schema_version?: number;
  revision: number;
  created_at: Date;
  updated_at: Date;
}

export interface EndpointDocument {
  _id: string;
  project_uid: string;
  name: string;
  /** The JSON of the endpoint, because it can have any keys. */
  settings: string;
  schema_version?: number;
  revision: number;
  created_at: Date;
  updated_at: Date;
}

export interface SessionDocument {
  /** A hash of the secret that the browser keeps. */
  _id: string;
  key_hash: string;
  created_at: Date;
  expires_at: Date;
}

/** The lease of a log that somebody judges, so that nobody else gets it. */
export interface LeaseDocument {
  _id: string;
  project_uid: string;
  log_id: string;
  holder: string;
  leased_until: Date;
}

/** How much of a shared limit engines used in one window. */
export interface LimitShareDocument {
  /** The counter, and the start of its window where it has one. */
  _id: string;
  engines: Record<string, { used: number; granted: number; left: number; used_by_others: number; at: Date }>;
  expires_at: Date;
}

export interface AuditDocument {
  _id: string;
  at: Date;
  /** The name of the admin key. */
  actor: string;
  action: string;
  project_uid: string | null;
  /** What was changed: the uid of a project, the id of a key, or the name of an endpoint. */
  target: string;
  /** The JSON of its states before and after the change, without secrets; null where there is none. */
  before: string | null;
  after: string | null;
}

export interface JobDocument {
  _id: string;
  project_uid: string;
  state: JobState;
  /** The JSON of the requested change. */
  request: string;
  /** The id by which the change can be undone; null where it cannot. Absent in jobs of older versions. */
  change_id?: string | null;
  /** The number of logs to examine, as counted when the job began. */
  total: number;
  matched: number;
  changed: number;
  /** What was skipped. Absent in jobs of older versions. */
  skipped?: Skipped;
  position: BulkPosition | null;
  error: string | null;
  /** The process that works on it. The value is new each time that it is taken over. */
  worker: string | null;
  /** Until when it belongs to its worker. A dead worker loses it then. */
  lease_until: Date;
  created_at: Date;
  updated_at: Date;
}

/** What a change of many logs did to one of them, for undoing it. */
export interface UndoDocument {
  _id: string;
  project_uid: string;
  change_id: string;
  log_id: string;
  /** The JSON of the changed fields before and after. */
  before: string;
  after: string;
  /** The signal that it added. */
  feedback_id?: string;
  created_at: Date;
}

/** How many logs did not get a part of a change, because it would have exceeded their limit. */
export type Skipped = Partial<Record<'feedback' | 'improvement' | 'tags' | 'metadata', number>>;

export type JobState = 'queued' | 'running' | 'done' | 'failed';

/** The progress of a change of many logs: after this log, or after this many ids. */
export type BulkPosition = LogPosition | { offset: number };

/** The log after which a walk through logs continues. */
export interface LogPosition {
  created_at: Date;
  id: string;
}

export interface Collections {
  client: MongoClient;
  database: Db;
  /** Runs all work on the collections and translates its errors. */
  guarded: Guarded;
  /** Whether a project has an index of words. */
  searchesWords: (projectUid: string) => boolean;
  logs: Collection<LogDocument>;
  bodies: Collection<BodyPart>;
  fragments: Collection<FragmentDocument>;
  feedback: Collection<FeedbackDocument>;
  idempotency: Collection<IdempotencyDocument>;
  tags: Collection<TagCountDocument>;
  stats: Collection<StatDocument>;
  pendingCounts: Collection<PendingCountsDocument>;
  oldPendingCounts: Collection<OldPendingCountsDocument>;
  tagSeries: Collection<TagSeriesDocument>;
  projects: Collection<ProjectDocument>;
  remembered: Collection<RememberedProjectDocument>;
  keys: Collection<KeyDocument>;
  endpoints: Collection<EndpointDocument>;
  audit: Collection<AuditDocument>;
  jobs: Collection<JobDocument>;
  sessions: Collection<SessionDocument>;
  undo: Collection<UndoDocument>;
  leases: Collection<LeaseDocument>;
  shares: Collection<LimitShareDocument>;
  judging: Collection<JudgingDocument>;
  judgements: Collection<JudgementDocument>;
}

export function collectionsOf(
  client: MongoClient,
  database: Db,
  searchesWords: Collections['searchesWords'],
): Collections {
  return {
    client,
    database,
    guarded: createGuard(client),
    searchesWords,
    logs: database.collection('logs'),
    bodies: database.collection('log_bodies'),
    fragments: database.collection('log_fragments'),
    feedback: database.collection('feedback'),
    idempotency: database.collection('idempotency_keys'),
    tags: database.collection('tag_counts'),
    stats: database.collection('hourly_counts'),
    pendingCounts: database.collection('pending_counts'),
    oldPendingCounts: database.collection('count_changes'),
    tagSeries: database.collection('tag_series'),
    projects: database.collection('projects'),
    remembered: database.collection('file_projects'),
    keys: database.collection('api_keys'),
    endpoints: database.collection('endpoints'),
    audit: database.collection('audit'),
    jobs: database.collection('jobs'),
    sessions: database.collection('sessions'),
    undo: database.collection('bulk_undo'),
    leases: database.collection('judging_leases'),
    shares: database.collection('limit_shares'),
    judging: database.collection('judging'),
    judgements: database.collection('judgements'),
  };
}
