import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SluiceError } from '../../core/errors.js';
import type { Expected } from '../../store/directory/entry-store.js';

/** Sets the ETag. For an entry of sluice.yaml, the version is a hash of its content. */
export function tagVersion<Content>(
  reply: FastifyReply,
  content: Content,
  revision: number | undefined,
): Content {
  const version =
    revision === undefined
      ? createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)
      : `r${revision}`;
  reply.header('etag', `"${version}"`);
  return content;
}

/** The version that a PUT expects. Throws `precondition_required` where the request names none. */
export function requireVersion(request: FastifyRequest): Expected {
  if (request.headers['if-match'] === undefined) {
    throw new SluiceError('precondition_required', 'Send `If-Match` with the `ETag` of what you read.', {
      param: 'If-Match',
    });
  }
  return expectedVersion(request);
}

/** The version that a DELETE, or a PATCH of a log, expects; `any` where the request names none. */
export function expectedVersion(request: FastifyRequest): Expected {
  const header = request.headers['if-match'];
  if (header === undefined || header.trim() === '*') return 'any';
  const revision = /^"r(\d{1,15})"$/.exec(header.trim())?.[1];
  // A tag that we never issued matches no version.
  return revision === undefined ? -1 : Number(revision);
}
