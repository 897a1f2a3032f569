import type { FastifyReply } from 'fastify';
import type { JsonValue } from '../../core/json.js';
import { heavyWork } from '../../core/pacing/heavy-work.js';
import { stringifyInPieces } from '../../core/pacing/json-in-pieces.js';

/** The JSON of a large answer, made in pieces: printed at once it would hold up the requests of the gateway. */
export async function printed(reply: FastifyReply, content: object): Promise<string> {
  reply.type('application/json; charset=utf-8');
  return stringifyInPieces(content as JsonValue, () => heavyWork.next());
}
