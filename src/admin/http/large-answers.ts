import type { FastifyReply } from 'fastify';
import type { JsonValue } from '../../core/json.js';
import { backgroundPace } from '../../core/pacing/background-work.js';
import { stringifyInSteps } from '../../core/pacing/json-in-pieces.js';
import { inTurns } from '../../core/pacing/steps.js';

/** Writes the JSON of a large answer in pieces. Writing it at once would block the gateway's requests in this process. */
export async function printed(reply: FastifyReply, content: object): Promise<string> {
  reply.type('application/json; charset=utf-8');
  return inTurns(stringifyInSteps(content as JsonValue), backgroundPace());
}
