import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SluiceError } from '../core/errors.js';
import type { LogRecord } from '../core/log-record.js';
import type { Expected } from '../store/directory/entry-store.js';

/** Of what people change in a log: two that change it at the same time can be told. */
export function tagLog(reply: FastifyReply, log: LogRecord): void {
  reply.header('etag', `"${logVersion(log)}"`);
}

/** Throws `precondition_failed` where the request was made for another version of the log. */
export function checkLogVersion(request: FastifyRequest): ((log: LogRecord) => void) | undefined {
  const expected = request.headers['if-match']?.trim();
  if (expected === undefined || expected === '*') return undefined;
  return (log) => {
    if (expected === `"${logVersion(log)}"`) return;
    throw new SluiceError('precondition_failed', 'It was changed in the meantime. Read it again.', {
      param: 'If-Match',
    });
  };
}

function logVersion({ metadata, tags, quality_rating }: LogRecord): string {
  return hashOf([metadata, tags, quality_rating]);
}

function hashOf(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22);
}

/** The answer names the version that it shows; what the file holds is known by its content. */
export function tagVersion<Content>(
  reply: FastifyReply,
  content: Content,
  revision: number | undefined,
): Content {
  const version = revision === undefined ? hashOf(content) : `r${revision}`;
  reply.header('etag', `"${version}"`);
  return content;
}

/** The version that a PUT was made for. Throws `precondition_required` without one. */
export function requireVersion(request: FastifyRequest): Expected {
  if (request.headers['if-match'] === undefined) {
    throw new SluiceError('precondition_required', 'Send `If-Match` with the `ETag` of what you read.', {
      param: 'If-Match',
    });
  }
  return expectedVersion(request);
}

/** The version that a DELETE was made for; any where none is named. */
export function expectedVersion(request: FastifyRequest): Expected {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return 'any';
  const revision = /^"r(\d{1,15})"$/.exec(header.trim())?.[1];
  // A tag that we never gave fits no version.
  return revision === undefined ? -1 : Number(revision);
}
