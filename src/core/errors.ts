/** One error that a client can see. */
interface ErrorRow {
  /** The HTTP status. */
  status: number;
  /** The type of the error in OpenAI's and in Anthropic's APIs. */
  openai: string;
  anthropic: string;
  /** What the error means, and what the reader should do. docs/errors.md is generated from these. */
  cause: string;
  remedy: string;
}

/** Every error that a client can see. The message says what was wrong and where; the codes are stable. */
export const ERRORS = {
  invalid_request: {
    status: 400,
    openai: 'invalid_request_error',
    anthropic: 'invalid_request_error',
    cause:
      'The body is not JSON, is not a valid request of this API, or breaks a limit of the configuration.',
    remedy: 'Fix what the message names. The same request would fail again.',
  },
  invalid_json_schema: {
    status: 400,
    openai: 'invalid_request_error',
    anthropic: 'invalid_request_error',
    cause:
      'The JSON Schema in the request is not valid, is larger than `limits.schema_bytes`, or refers outside itself.',
    remedy: 'Send one schema without references to other documents, of draft 07, 2019-09 or 2020-12.',
  },
  rejected_by_plugin: {
    status: 400,
    openai: 'invalid_request_error',
    anthropic: 'invalid_request_error',
    cause: 'A plugin rejected the request or the answer. The plugin can give a code and a status of its own.',
    remedy: 'Read the message: the plugin wrote it. `plugin_runs` of the log says which plugin it was.',
  },
  pii_detected: {
    status: 400,
    openai: 'invalid_request_error',
    anthropic: 'invalid_request_error',
    cause: '`pii_detection` found personal data.',
    remedy:
      'Remove the data, or change `entities`, `score_threshold`, `allow_list` or `mask` of the endpoint. `plugin_runs` of the log has the findings.',
  },
  secret_detected: {
    status: 400,
    openai: 'invalid_request_error',
    anthropic: 'invalid_request_error',
    cause: '`secrets_detection` found a key, a token or a password.',
    remedy:
      'Take the secret out, and make a new one where it was real. Where it is none, add it to `allow_list` of the plugin. `plugin_runs` of the log has the findings.',
  },
  text_rule: {
    status: 400,
    openai: 'invalid_request_error',
    anthropic: 'invalid_request_error',
    cause: '`text_rules` found a word or a pattern that the operator denies.',
    remedy:
      'Take the text out, or change `rules` of the endpoint. `plugin_runs` of the log says which rule it was.',
  },
  invalid_api_key: {
    status: 401,
    openai: 'authentication_error',
    anthropic: 'authentication_error',
    cause: 'No key was given, or the key does not belong to this project.',
    remedy: 'Send the key of the project as `Authorization: Bearer KEY`.',
  },
  insufficient_scope: {
    status: 403,
    openai: 'permission_error',
    anthropic: 'permission_error',
    cause: 'The key is valid and lacks the scope that the call needs.',
    remedy: 'Use a key that has the scope, or give it to the key.',
  },
  endpoint_not_allowed: {
    status: 403,
    openai: 'permission_error',
    anthropic: 'permission_error',
    cause: 'The key is valid, and its `endpoints` do not name this one.',
    remedy: 'Call an endpoint that `GET …/models` lists for the key, or add this one to the key.',
  },
  not_assigned: {
    status: 403,
    openai: 'permission_error',
    anthropic: 'permission_error',
    cause: 'The queue names the people who judge in it, and the key is not one of them.',
    remedy: 'Add the name of the key to `people` of the queue, or judge in another queue.',
  },
  cross_site_request: {
    status: 403,
    openai: 'permission_error',
    anthropic: 'permission_error',
    cause: 'A change came with a session of the dashboard, and from another site.',
    remedy: 'Send `x-sluice-csrf: 1` from a page of the same origin, or use a key.',
  },
  not_found: {
    status: 404,
    openai: 'invalid_request_error',
    anthropic: 'not_found_error',
    cause: 'There is no such path, log or resource.',
    remedy:
      'Compare the path with the base URLs that `npm start` and the README show. Below a known one the message lists what there is.',
  },
  model_not_found: {
    status: 404,
    openai: 'invalid_request_error',
    anthropic: 'not_found_error',
    cause: '`model` names no endpoint of the project, or no model of its chain applies to the request.',
    remedy: 'List the endpoints with `GET …/models`. Check the `when` of the models.',
  },
  already_exists: {
    status: 409,
    openai: 'invalid_request_error',
    anthropic: 'invalid_request_error',
    cause: 'The name is in use.',
    remedy: 'Choose another name, or change the entry that has it.',
  },
  managed_by_file: {
    status: 409,
    openai: 'invalid_request_error',
    anthropic: 'invalid_request_error',
    cause: 'The entry is defined in `sluice.yaml`.',
    remedy: 'Change the file. The engine follows it without a restart.',
  },
  still_running: {
    status: 409,
    openai: 'invalid_request_error',
    anthropic: 'invalid_request_error',
    cause: 'A change of many logs cannot be undone while its job still runs.',
    remedy: 'Poll the job until its `state` is `done` or `failed`, then undo the change.',
  },
  already_judged: {
    status: 409,
    openai: 'invalid_request_error',
    anthropic: 'invalid_request_error',
    cause: 'The same person judged this log in this queue, or this pair, before.',
    remedy: 'Go on with the next one. To judge again, take the judgement out first.',
  },
  too_many_signals: {
    status: 409,
    openai: 'invalid_request_error',
    anthropic: 'invalid_request_error',
    cause: 'The log has `limits.feedback_per_log` feedback signals, or 32 MiB of them.',
    remedy: 'Delete signals that are not needed, or raise `limits.feedback_per_log`.',
  },
  precondition_failed: {
    status: 412,
    openai: 'invalid_request_error',
    anthropic: 'invalid_request_error',
    cause: 'The entry changed after it was read.',
    remedy: 'Read it again, and send the change with its new `ETag` as `If-Match`.',
  },
  request_too_large: {
    status: 413,
    openai: 'invalid_request_error',
    anthropic: 'request_too_large',
    cause: 'The body is larger than `limits.request_body_bytes`, or has more text than its guards read.',
    remedy: 'Send less, or raise the limit.',
  },
  unsupported_media_type: {
    status: 415,
    openai: 'invalid_request_error',
    anthropic: 'invalid_request_error',
    cause: 'The body is of a type that the call does not read.',
    remedy: 'Send JSON with `content-type: application/json`.',
  },
  idempotency_conflict: {
    status: 422,
    openai: 'invalid_request_error',
    anthropic: 'invalid_request_error',
    cause: 'The `Idempotency-Key` was used before, with another body.',
    remedy: 'Use a new key for a new body.',
  },
  invalid_improvement: {
    status: 422,
    openai: 'invalid_request_error',
    anthropic: 'invalid_request_error',
    cause:
      'A better answer does not fit the JSON Schema that the request of its log has. `details` of the error has the place.',
    remedy: 'Correct the answer where the message says. Training data never holds one that does not fit.',
  },
  output_validation_failed: {
    status: 422,
    openai: 'invalid_output_error',
    anthropic: 'api_error',
    cause:
      'No model of the chain gave an output, or arguments of a tool, that fit the JSON Schemas of the request. `details` of the error has the place.',
    remedy:
      'Read where it failed in the message. Add a model with `structured_output`, or set `explain_invalid` or `schema_in_prompt`. `json_validation` can release such an output, or show it in the error.',
  },
  precondition_required: {
    status: 428,
    openai: 'invalid_request_error',
    anthropic: 'invalid_request_error',
    cause: 'A change was sent without `If-Match`.',
    remedy: 'Read the entry, and send its `ETag` as `If-Match`.',
  },
  rate_limited: {
    status: 429,
    openai: 'rate_limit_error',
    anthropic: 'rate_limit_error',
    cause:
      'A limit of the project on requests, tokens or requests at a time is reached. Or there were too many calls of the admin API with this key or from this address, or too many open event streams.',
    remedy: 'Wait as long as `retry-after` says. `limits` of the log says which limit it was.',
  },
  budget_exceeded: {
    status: 429,
    openai: 'insufficient_quota',
    anthropic: 'rate_limit_error',
    cause: 'A limit of the project on costs (`cost_usd`) is reached.',
    remedy:
      'Wait until its window is over, as long as `retry-after` says, or raise the limit. `limits` of the log says which limit it was.',
  },
  internal_error: {
    status: 500,
    openai: 'server_error',
    anthropic: 'api_error',
    cause: 'The engine ran into an unexpected error.',
    remedy: "Search the program's log for the log id, and report the error.",
  },
  upstream_unavailable: {
    status: 502,
    openai: 'server_error',
    anthropic: 'api_error',
    cause: 'No model of the chain could be reached, or an answer broke off or could not be read.',
    remedy: 'See `attempts` of the log. Check the `base_url` of the providers.',
  },
  overloaded: {
    status: 503,
    openai: 'server_error',
    anthropic: 'overloaded_error',
    cause:
      'The request bodies and held answers in flight would exceed `limits.bodies_in_flight_bytes`, or too many JSON Schemas are waiting to be compiled.',
    remedy: 'Repeat the request after the seconds in `retry-after`.',
  },
  plugin_failed: {
    status: 503,
    openai: 'server_error',
    anthropic: 'api_error',
    cause: 'A plugin with `on_error: reject` failed or was too slow.',
    remedy: 'See `plugin_runs` of the log. Raise `timeout_ms`, or set `on_error: allow`.',
  },
  spool_full: {
    status: 503,
    openai: 'server_error',
    anthropic: 'overloaded_error',
    cause: 'The disk of the spool is full, and `spool.on_full` is `refuse`.',
    remedy: 'Free disk space, or find out why logs do not reach MongoDB.',
  },
  storage_unavailable: {
    status: 503,
    openai: 'server_error',
    anthropic: 'api_error',
    cause: 'MongoDB cannot be reached.',
    remedy: 'Try again later. Model calls go on, and their logs wait in the spool.',
  },
  engine_unavailable: {
    status: 503,
    openai: 'server_error',
    anthropic: 'api_error',
    cause: 'Envoy cannot reach the engine. This error has no log id.',
    remedy: 'Check that the engine runs, and that Envoy and the engine share a data directory.',
  },
  upstream_timeout: {
    status: 504,
    openai: 'server_error',
    anthropic: 'api_error',
    cause: 'No model of the chain answered within `timeout_ms` or `total_timeout_ms`.',
    remedy: 'Raise the times of the endpoint, or add a faster model.',
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof ERRORS;

export interface ErrorDetail {
  /** A JSON pointer to what was wrong, or its name. */
  path: string;
  message: string;
  /** The invalid output, where the endpoint allows it to be shown. */
  output?: string;
}

export interface SluiceErrorOptions {
  /** The field that was wrong, which OpenAI's error shape has as `param`. */
  param?: string;
  details?: ErrorDetail[];
  /** The code and status that a plugin chose. */
  clientCode?: string;
  status?: number;
  /** The message for the log, where `message` repeats a part of what the client sent. */
  logMessage?: string;
  /** The number of seconds after which a retry may succeed. */
  retryAfterSeconds?: number;
  /** The cause, for our own diagnostics. It never reaches a client. */
  cause?: unknown;
}

/** An error that ends an exchange or a call of the admin API. `message` is for the client. */
export class SluiceError extends Error {
  readonly code: ErrorCode;
  readonly clientCode: string;
  readonly status: number;
  readonly logMessage: string;
  readonly param?: string;
  readonly details?: ErrorDetail[];
  readonly retryAfterSeconds?: number;

  constructor(code: ErrorCode, message: string, options: SluiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'SluiceError';
    this.code = code;
    this.clientCode = options.clientCode ?? code;
    this.status = options.status ?? ERRORS[code].status;
    this.logMessage = options.logMessage ?? message;
    this.param = options.param;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The response header that points to the error's section in docs/errors.md. */
export const HELP_HEADER = 'x-sluice-help';

/** The section of docs/errors.md for an error. Codes that plugins chose point to the code that they replace. */
export function helpAnchor(error: SluiceError): string {
  return `docs/errors.md#${error.clientCode in ERRORS ? error.clientCode : error.code}`;
}

/** The text of docs/errors.md, generated from the table. */
export function renderErrorReference(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, openai, anthropic, cause, remedy }]) =>
      `## ${code}\n\n| status | type (OpenAI) | type (Anthropic) |\n|---|---|---|\n` +
      `| ${status} | \`${openai}\` | \`${anthropic}\` |\n\n${cause}\n\n**What to do:** ${remedy}\n`,
  );
  const intro =
    'Every error of the gateway and of the admin API has one of these codes. Its answer carries the header ' +
    '`x-sluice-help`, which names the place on this page. The message says what was wrong and where.';
  return `# Errors\n\n${intro}\n\n${rows.join('\n')}`;
}

/** The error in the form in which it may leave this process. An unexpected error shows nothing of its cause. */
export function toSluiceError(error: unknown): SluiceError {
  if (error instanceof SluiceError) return error;
  return new SluiceError('internal_error', 'An internal error occurred.', { cause: error });
}
