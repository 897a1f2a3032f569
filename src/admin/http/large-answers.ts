import type { FastifyReply } from 'fastify';
import type { JsonValue } from '../../core/json.js';
import { heavyWork } from '../../core/pacing/heavy-work.js';
import { stringifyInPieces } from '../../core/pacing/json-in-pieces.js';

/** Writes the JSON of a large answer in pieces. Writing it at once would block the gateway's requests in this process. */
export async function printed(reply: FastifyReply, content: object): Promise<string> {
  reply.type('application/json; charset=utf-8');
  return stringifyInPieces(content as JsonValue, () => heavyWork.next());
}
