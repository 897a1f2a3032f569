import type { Clock } from '../core/clock.js';
import type { ApiKey, KnownKey, Project } from '../core/directory.js';
import type { ErrorDetail } from '../core/errors.js';
import type { JsonObject, JsonValue } from '../core/json.js';
import type { PluginRun } from '../core/log-record.js';
import type { Logger } from '../core/logger.js';
import type { MaybePromise } from '../core/pacing/maybe-promise.js';
import type { Endpoint, Limits, Phase, TrafficLimit } from '../core/settings.js';
import type { CheckImprovement } from '../logs/improvement.js';
import type { Store } from '../store/store.js';

/** Projects and keys, those of the file and those of the API. */
export interface AdminDirectory {
  project(uid: string): Project | undefined;
  projects(): Project[];
  /** The key with this text, whatever it opens. */
  findKey(keyText: string): KnownKey | undefined;
  /** The same by the hash of the text. */
  findKeyByHash(hash: string): KnownKey | undefined;
  keys(projectUid: string): ApiKey[];
  /** Resolves once what was stored before the call is in force in this process. */
  refresh(): Promise<void>;
}

export type PartState = 'ready' | 'degraded' | 'starting';

export interface HealthReport {
  /** Whether requests can be served. */
  ready: boolean;
  /** By the part's name. */
  parts: Record<string, PartState>;
  /** More about a part, by its name; for everybody. */
  details?: Record<string, string>;
}

/** Messages in the shape of Chat Completions, or one text. */
export interface GuardQuestion {
  messages?: JsonValue[];
  text?: string;
  /** `response`: the last message, or the text, is what a model answered. Default: `request`. */
  phase?: 'request' | 'response';
}

export interface GuardDecision {
  decision: 'pass' | 'reject' | 'modify';
  plugin_runs: PluginRun[];
  /** As they would go on, where a plugin changed them. */
  messages?: JsonValue[];
  /** What the client would read, where it would be rejected. */
  error?: { code: string; message: string; status: number };
}

export interface PluginDescription {
  name: string;
  description?: string;
  phases: Phase[];
  /** JSON Schema of its configuration. What is `writeOnly` there is never shown. */
  configSchema: JsonObject;
}

/** What engines are told that follow the directory here, and not in MongoDB. */
export interface EngineFeed {
  /** Whether it is the key of engines; compared in constant time. Without one configured none is. */
  isKey(text: string): boolean;
  /**
   * Calls `send` with lines of JSON: at once with the way from the version `known` to what is there, and with each
   * change. Gives what ends it; undefined while MongoDB has not been read.
   */
  follow(known: string | undefined, send: (line: Buffer) => void): (() => void) | undefined;
}

/** The logs of engines that do not write to MongoDB themselves. */
export interface EngineLogs {
  /**
   * A batch of their spool; an empty one asks whether others would land. Throws `invalid_request` where it is none, and
   * `storage_unavailable`.
   */
  take(batch: Buffer): Promise<{ stored: number; refused: { index: number; reason: string }[] }>;
}

/** What the admin service needs of the rest. Functions are asked anew for each request, since the file may change. */
export interface AdminDependencies {
  store: Store;
  directory: AdminDirectory;
  limits(): Pick<
    Limits,
    'metadata_bytes' | 'body_values' | 'feedback_per_log' | 'request_body_bytes' | 'response_body_bytes'
  >;
  plugins(): PluginDescription[];
  /** The endpoints that sluice.yaml gives a project; its uid is in lower case. */
  fileEndpoints(projectUid: string): readonly Endpoint[];
  /** What is wrong with an endpoint beyond its schema: references, configurations of plugins, URLs of webhooks. */
  checkEndpoint(endpoint: Endpoint): MaybePromise<ErrorDetail[]>;
  /** What is wrong with limits of a project beyond their schema; `project` is absent where it is made with them. */
  checkLimits(limits: readonly TrafficLimit[], project: Project | undefined): ErrorDetail[];
  /** What is wrong with a better answer for a log's request. */
  checkImprovement: CheckImprovement;
  /** What an endpoint's guards would do; see `POST /{project_uid}/guard/check`. */
  checkGuards(endpoint: Endpoint, question: GuardQuestion): Promise<GuardDecision>;
  /** A new key: its text, which is shown once, and what is kept of it. */
  generateKey(): { key: string; hash: string; prefix: string };
  /** `dashboard` of sluice.yaml. */
  dashboard(): { trace_url?: string };
  /** Where clients reach the gateway, and this process too; without a slash at its end. */
  gatewayUrl(): string;
  engineFeed: EngineFeed;
  engineLogs: EngineLogs;
  health(): MaybePromise<HealthReport>;
  /** The metrics in Prometheus's text format 0.0.4, or as OpenMetrics. */
  metricsText?(openMetrics: boolean): Promise<string>;
  logger: Logger;
  clock: Clock;
  /** How often a stream of events shows that it lives, and that its listener may still listen. */
  beatMs?: number;
  /** Addresses of proxies whose word on the client's address is taken (`X-Forwarded-For`). */
  trustedProxies?: readonly string[];
  /** How long a request may take to come in. */
  requestTimeoutMs?: number;
  /** How many calls a key, or an address without a valid key, may make in a minute. */
  rateLimit?: { perKey: number; perAddress: number };
}
