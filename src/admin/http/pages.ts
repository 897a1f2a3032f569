import type { FastifyReply, FastifyRequest } from 'fastify';
import { corsHeaders } from '../../core/cors.js';
import type { Directory } from '../../core/directory.js';
import { GATEWAY_HEADER } from '../../core/gateway-header.js';

/** A hook for feedback and patches that pages of browsers send through the gateway, which answers their preflights. */
export function answerPages(directory: Pick<Directory, 'project'>) {
  return async ({ headers, url }: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (headers.origin === undefined || headers[GATEWAY_HEADER] === undefined) return;
    reply.headers(corsHeaders(url, headers.origin, directory) ?? {});
  };
}
