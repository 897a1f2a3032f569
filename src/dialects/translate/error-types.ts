import { SluiceError } from '../../core/errors.js';

/* The names for the same errors in the two families of APIs. Where a type is not known, the status decides. */

interface ErrorKind {
  openai: string;
  anthropic: string;
  status: number;
}

const KINDS: readonly ErrorKind[] = [
  { openai: 'invalid_request_error', anthropic: 'invalid_request_error', status: 400 },
  { openai: 'authentication_error', anthropic: 'authentication_error', status: 401 },
  { openai: 'insufficient_quota', anthropic: 'billing_error', status: 402 },
  { openai: 'permission_error', anthropic: 'permission_error', status: 403 },
  { openai: 'invalid_request_error', anthropic: 'not_found_error', status: 404 },
  { openai: 'invalid_request_error', anthropic: 'request_too_large', status: 413 },
  { openai: 'rate_limit_error', anthropic: 'rate_limit_error', status: 429 },
  { openai: 'rate_limit_exceeded', anthropic: 'rate_limit_error', status: 429 },
  { openai: 'tokens', anthropic: 'rate_limit_error', status: 429 },
  { openai: 'requests', anthropic: 'rate_limit_error', status: 429 },
  { openai: 'server_error', anthropic: 'api_error', status: 500 },
  { openai: 'timeout_error', anthropic: 'timeout_error', status: 504 },
  { openai: 'overloaded_error', anthropic: 'overloaded_error', status: 529 },
];

export function openaiErrorType(type: string | undefined, status: number): string {
  return kindOf('anthropic', type, status).openai;
}

export function anthropicErrorType(type: string | undefined, status: number): string {
  return kindOf('openai', type, status).anthropic;
}

/** OpenAI's APIs use `invalid_request_error` for many errors, so the status is more precise than the type. */
function kindOf(family: 'openai' | 'anthropic', type: string | undefined, status: number): ErrorKind {
  const named = KINDS.filter((kind) => kind[family] === type);
  const sameStatus = KINDS.find((kind) => kind.status === status);
  const exact = named.find((kind) => kind.status === status);
  if (exact !== undefined) return exact;
  if (named[0] !== undefined && type !== 'invalid_request_error') return named[0];
  return sameStatus ?? KINDS.find((kind) => kind.status === (status >= 500 ? 500 : 400))!;
}

/** The error for a client whose stream ended before the model sent anything. */
export const SAYS_NOTHING = new SluiceError(
  'upstream_unavailable',
  'The model ended its answer without saying anything.',
);

/** The error for a stream that ends in the middle of an answer. */
export const BROKEN_OFF = new SluiceError('upstream_unavailable', 'The model broke off its answer.');
