import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Type } from '../../core/schema-type.js';
import { asAnswer } from './as-answer.js';

/** Lines are sent in pieces of about this size. */
const PIECE_UNITS = 65_536;

/** The description of an answer that has a JSON object on each line. */
export const jsonLines = {
  description: 'A JSON object a line.',
  content: { 'application/jsonl': { schema: Type.String() } },
};

/**
 * Answers with lines as they are made. A mistake that is found before the first line gets an error answer. A later failure
 * can only break the stream off.
 */
export async function sendLines(reply: FastifyReply, lines: AsyncGenerator<string>): Promise<never> {
  const pieces = inPieces(lines);
  const first = await pieces.next();
  return reply
    .type('application/jsonl')
    .send(asAnswer(Readable.from(goOn(first, pieces), { objectMode: false })));
}

async function* inPieces(lines: AsyncGenerator<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const line of lines) {
    piece += line;
    if (piece.length < PIECE_UNITS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

async function* goOn(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncGenerator<string> {
  if (first.done) return;
  yield first.value;
  yield* rest;
}
