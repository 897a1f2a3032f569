/**
 * Every error that a client can see, with its HTTP status and its type in the two families of APIs. The
 * message says what was wrong and where; the codes are stable.
 */
export const ERRORS = {
  invalid_request: { status: 400, openai: 'invalid_request_error', anthropic: 'invalid_request_error' },
  invalid_json_schema: { status: 400, openai: 'invalid_request_error', anthropic: 'invalid_request_error' },
  rejected_by_plugin: { status: 400, openai: 'invalid_request_error', anthropic: 'invalid_request_error' },
  pii_detected: { status: 400, openai: 'invalid_request_error', anthropic: 'invalid_request_error' },
  invalid_api_key: { status: 401, openai: 'authentication_error', anthropic: 'authentication_error' },
  insufficient_scope: { status: 403, openai: 'permission_error', anthropic: 'permission_error' },
  cross_site_request: { status: 403, openai: 'permission_error', anthropic: 'permission_error' },
  not_found: { status: 404, openai: 'invalid_request_error', anthropic: 'not_found_error' },
  model_not_found: { status: 404, openai: 'invalid_request_error', anthropic: 'not_found_error' },
  already_exists: { status: 409, openai: 'invalid_request_error', anthropic: 'invalid_request_error' },
  managed_by_file: { status: 409, openai: 'invalid_request_error', anthropic: 'invalid_request_error' },
  precondition_failed: { status: 412, openai: 'invalid_request_error', anthropic: 'invalid_request_error' },
  request_too_large: { status: 413, openai: 'invalid_request_error', anthropic: 'request_too_large' },
  unsupported_media_type: {
    status: 415,
    openai: 'invalid_request_error',
    anthropic: 'invalid_request_error',
  },
  idempotency_conflict: { status: 422, openai: 'invalid_request_error', anthropic: 'invalid_request_error' },
  output_validation_failed: { status: 422, openai: 'invalid_output_error', anthropic: 'api_error' },
  precondition_required: { status: 428, openai: 'invalid_request_error', anthropic: 'invalid_request_error' },
  rate_limited: { status: 429, openai: 'rate_limit_error', anthropic: 'rate_limit_error' },
  internal_error: { status: 500, openai: 'server_error', anthropic: 'api_error' },
  upstream_unavailable: { status: 502, openai: 'server_error', anthropic: 'api_error' },
  plugin_failed: { status: 503, openai: 'server_error', anthropic: 'api_error' },
  spool_full: { status: 503, openai: 'server_error', anthropic: 'overloaded_error' },
  storage_unavailable: { status: 503, openai: 'server_error', anthropic: 'api_error' },
  engine_unavailable: { status: 503, openai: 'server_error', anthropic: 'api_error' },
  upstream_timeout: { status: 504, openai: 'server_error', anthropic: 'api_error' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

export interface ErrorDetail {
  /** JSON pointer or name of what was wrong. */
  path: string;
  message: string;
}

export interface SluiceErrorOptions {
  /** The field that was wrong, for the `param` of OpenAI's shape. */
  param?: string;
  details?: ErrorDetail[];
  /** For a plugin's own code and status. */
  clientCode?: string;
  status?: number;
  /** What the log says instead of a message that repeats some of what the client sent. */
  logMessage?: string;
  /** For our diagnostics; never reaches a client. */
  cause?: unknown;
}

/** What must end an exchange or a call of the admin API. `message` is for the client. */
export class SluiceError extends Error {
  readonly code: ErrorCode;
  readonly clientCode: string;
  readonly status: number;
  readonly logMessage: string;
  readonly param?: string;
  readonly details?: ErrorDetail[];

  constructor(code: ErrorCode, message: string, options: SluiceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'SluiceError';
    this.code = code;
    this.clientCode = options.clientCode ?? code;
    this.status = options.status ?? ERRORS[code].status;
    this.logMessage = options.logMessage ?? message;
    this.param = options.param;
    this.details = options.details;
  }
}

/** The error as it may leave us: what we did not foresee says nothing of its inside. */
export function toSluiceError(error: unknown): SluiceError {
  if (error instanceof SluiceError) return error;
  return new SluiceError('internal_error', 'An internal error occurred.', { cause: error });
}
