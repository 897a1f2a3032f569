import type { Clock } from '../core/clock.js';
import type { ApiKey, KnownKey, Project } from '../core/directory.js';
import type { ErrorDetail } from '../core/errors.js';
import type { JsonObject, JsonValue } from '../core/json.js';
import type { PluginRun } from '../core/log-record.js';
import type { Logger } from '../core/logger.js';
import type { MaybePromise } from '../core/pacing/maybe-promise.js';
import type { Endpoint, Limits, Phase, ProviderApi, TrafficLimit } from '../core/settings.js';
import type { CheckImprovement } from '../logs/improvement.js';
import type { Store } from '../store/store.js';

/** Projects and keys, from the file and from the API. */
export interface AdminDirectory {
  project(uid: string): Project | undefined;
  projects(): Project[];
  /** The key with this text, in any project. */
  findKey(keyText: string): KnownKey | undefined;
  /** The key whose text has this hash. */
  findKeyByHash(hash: string): KnownKey | undefined;
  keys(projectUid: string): ApiKey[];
  /** Resolves once everything that was stored before the call is active in this process. */
  refresh(): Promise<void>;
}

export type PartState = 'ready' | 'degraded' | 'starting';

export interface HealthReport {
  /** Whether the process can serve requests. */
  ready: boolean;
  /** The state of each part, by its name. */
  parts: Record<string, PartState>;
  /** Details about a part, by its name. Everybody may read them. */
  details?: Record<string, string>;
}

/** Content for guards: messages in the shape of Chat Completions, or one text. */
export interface GuardQuestion {
  messages?: JsonValue[];
  text?: string;
  /** `response`: the last message, or the text, is a model's answer. Default: `request`. */
  phase?: 'request' | 'response';
}

export interface GuardDecision {
  decision: 'pass' | 'reject' | 'modify';
  plugin_runs: PluginRun[];
  /** The messages as they would be sent on, where a plugin changed them. */
  messages?: JsonValue[];
  /** The error that the client would get, where the request would be rejected. */
  error?: { code: string; message: string; status: number };
}

/** The PII detector, for people who check what it finds. */
export interface PiiDetector {
  types: ReadonlySet<string>;
  /** What it finds in a text with its usual settings. Offsets are UTF-16 units. */
  find(text: string): Promise<{ start: number; end: number; type: string; score: number }[]>;
}

/** A provider as people see it when they choose one, without its credential. */
export interface ProviderDescription {
  name: string;
  api: ProviderApi;
  base_url: string;
  /** The models of the provider that have prices. */
  models: string[];
}

export interface PluginDescription {
  name: string;
  description?: string;
  phases: Phase[];
  /** The JSON Schema of its configuration. Values that are `writeOnly` there are never shown. */
  configSchema: JsonObject;
}

/** The feed for engines that follow the directory through this service and not through MongoDB. */
export interface EngineFeed {
  /** Whether this is the key of engines, compared in constant time. False where no such key is configured. */
  isKey(text: string): boolean;
  /**
   * Calls `send` with lines of JSON: first the changes since the version `known`, then every later change. Returns a
   * function that ends it, or undefined while MongoDB has not been read yet.
   */
  follow(known: string | undefined, send: (line: Buffer) => void): (() => void) | undefined;
}

/** Takes the logs of engines that do not write to MongoDB themselves. */
export interface EngineLogs {
  /**
   * Takes a batch from an engine's spool. An empty batch asks only whether others could be written now. Throws
   * `invalid_request` for bytes that are not a batch, and `storage_unavailable`.
   */
  take(batch: Buffer): Promise<{ stored: number; refused: { index: number; reason: string }[] }>;
}

/**
 * What the admin service needs from the rest of the program. These functions are called for each request, because the
 * file may change.
 */
export interface AdminDependencies {
  store: Store;
  directory: AdminDirectory;
  limits(): Pick<
    Limits,
    'metadata_bytes' | 'body_values' | 'feedback_per_log' | 'request_body_bytes' | 'response_body_bytes'
  >;
  plugins(): PluginDescription[];
  /** The providers of sluice.yaml. */
  providers(): ProviderDescription[];
  /** The endpoints that sluice.yaml gives a project. `uid` is in lower case. */
  fileEndpoints(projectUid: string): readonly Endpoint[];
  /** Mistakes of an endpoint that its schema cannot find: references, plugin configurations, URLs of webhooks. */
  checkEndpoint(endpoint: Endpoint, projectUid: string): MaybePromise<ErrorDetail[]>;
  /**
   * Mistakes of a project's limits that their schema cannot find. `project` is absent where the project is being
   * created with them.
   */
  checkLimits(limits: readonly TrafficLimit[], project: Project | undefined): ErrorDetail[];
  /** Says what is wrong with an improved answer for a log's request. */
  checkImprovement: CheckImprovement;
  /** What the guards of an endpoint would do; see `POST /{project_uid}/guard/check`. */
  checkGuards(endpoint: Endpoint, question: GuardQuestion): Promise<GuardDecision>;
  piiDetector: PiiDetector;
  /** Makes a new key: its text, which is shown once, and the part that is stored. */
  generateKey(): { key: string; hash: string; prefix: string };
  /** The section `dashboard` of sluice.yaml. */
  dashboard(): { trace_url?: string };
  /** The URL at which clients and this process reach the gateway, without a trailing slash. */
  gatewayUrl(): string;
  engineFeed: EngineFeed;
  engineLogs: EngineLogs;
  /**
   * Writes the logs that wait in the spool of this process, because somebody asks for one of them. Absent where the
   * process has no engine.
   */
  shipLogsNow?(): void;
  health(): MaybePromise<HealthReport>;
  /** The metrics in Prometheus's text format 0.0.4, or as OpenMetrics. */
  metricsText?(openMetrics: boolean): Promise<string>;
  logger: Logger;
  clock: Clock;
  /** How often an event stream sends a heartbeat and checks that its listener may still listen. */
  beatMs?: number;
  /** Addresses of proxies that are trusted to name the client's address (`X-Forwarded-For`). */
  trustedProxies?: readonly string[];
  /** How long it may take until a request has arrived completely. */
  requestTimeoutMs?: number;
  /** How many calls a key, or an address without a valid key, may make per minute. */
  rateLimit?: { perKey: number; perAddress: number };
}
