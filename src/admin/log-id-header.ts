import type { FastifyReply, FastifyRequest } from 'fastify';
import { isUuid } from '../core/ids.js';

/** A hook: the answer, whatever it is, names the log that the path names. */
export function answerWithLogId(parameter: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const id = (request.params as Record<string, string>)[parameter];
    if (id !== undefined && isUuid(id)) reply.header('x-inference-log-id', id.toLowerCase());
  };
}
