import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionError, FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { SluiceError } from '../../core/errors.js';
import { errorBody } from './errors.js';

/** Answers requests that Node could not parse. No route ever sees them. */
export function answerBrokenRequest(error: ConnectionError, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const answer = answerTo(error);
  const body = JSON.stringify(errorBody(answer));
  const head = [
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

function answerTo({ code }: ConnectionError): SluiceError {
  switch (code as string) {
    case 'HPE_HEADER_OVERFLOW':
      return new SluiceError('request_too_large', 'The URL and headers are too large.', { status: 431 });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new SluiceError('invalid_request', 'The request took too long to come in.', { status: 408 });
    default:
      return new SluiceError('invalid_request', 'This is not a valid HTTP request.');
  }
}

/** Answers paths that cannot be decoded. No hook and no route ever sees them. */
export function answerBrokenPath(error: FastifyError, _request: FastifyRequest, reply: FastifyReply): void {
  const answer =
    error.code === 'FST_ERR_BAD_URL'
      ? new SluiceError(
          'invalid_request',
          'The path is not valid: after each % two hexadecimal digits are needed.',
        )
      : new SluiceError('request_too_large', 'A part of the path is too long.', { status: 414 });
  void reply.code(answer.status).send(errorBody(answer));
}
