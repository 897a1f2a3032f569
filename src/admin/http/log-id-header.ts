import type { FastifyReply, FastifyRequest } from 'fastify';
import { v7 } from 'uuid';
import { isUuid } from '../../core/ids.js';

/**
 * A hook that adds the log id in the path to every answer. Envoy forwards these calls, and each of its answers has an
 * id, so where the path names no log, the answer gets a new id.
 */
export function answerWithLogId(parameter: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const id = (request.params as Record<string, string>)[parameter];
    giveLogId(reply, id !== undefined && isUuid(id) ? id.toLowerCase() : undefined);
  };
}

/** Sets an id for a call that names no log. */
export function giveLogId(reply: FastifyReply, id = v7()): void {
  reply.header('x-inference-log-id', id);
}
