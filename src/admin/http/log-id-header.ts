import type { FastifyReply, FastifyRequest } from 'fastify';
import { v7 } from 'uuid';
import { isUuid } from '../../core/ids.js';

/**
 * A hook: the answer, whatever it is, names the log that the path names. Envoy passes these calls on, and each of its
 * answers has an id: where the path names no log, it is one of this call, as it is of other refused calls.
 */
export function answerWithLogId(parameter: string) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const id = (request.params as Record<string, string>)[parameter];
    giveLogId(reply, id !== undefined && isUuid(id) ? id.toLowerCase() : undefined);
  };
}

/** Of a call that names no log: an id of its own. */
export function giveLogId(reply: FastifyReply, id = v7()): void {
  reply.header('x-inference-log-id', id);
}
