import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Directory } from '../../core/directory.js';
import { corsHeaders } from '../../core/gateway/cors.js';
import { GATEWAY_HEADER } from '../../core/gateway/gateway-header.js';

/**
 * A hook for feedback and patches, which browser pages send through the gateway. The gateway answers their preflight
 * requests.
 */
export function answerPages(directory: Pick<Directory, 'project'>) {
  return async ({ headers, url }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (headers.origin === undefined || headers[GATEWAY_HEADER] === undefined) return;
    reply.headers(corsHeaders(url, headers.origin, directory) ?? {});
  };
}
