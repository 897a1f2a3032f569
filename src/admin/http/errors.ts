import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../core/clock.js';
import {
  ERRORS,
  type ErrorDetail,
  HELP_HEADER,
  helpAnchor,
  SluiceError,
  toSluiceError,
} from '../../core/errors.js';
import type { Logger } from '../../core/logger.js';
import { Alarm } from '../../core/pacing/alarm.js';
import { detailsOf } from './error-details.js';

/** The body of an error: OpenAI's shape, with every mistake in `details`. */
export function errorBody(error: SluiceError): object {
  const { message, code, clientCode, param, details = [] } = error;
  return {
    error: {
      message,
      type: ERRORS[code].openai,
      param: param ?? details[0]?.path ?? null,
      code: clientCode,
      details,
    },
  };
}

/** Every wrong value of a request. The message lists them too, for clients that only show the message. */
export function invalidRequest(details: ErrorDetail[]): SluiceError {
  const message = details.map(({ path, message }) => `${path}: ${message}`).join('; ');
  return new SluiceError('invalid_request', message, { details });
}

/**
 * Turns everything that a route or Fastify throws into an answer. Unexpected errors are logged and not shown. An
 * outage of the storage makes every call fail, so it is logged only once in a while.
 */
export function createErrorHandler(logger: Logger, clock: Clock) {
  const outage = new Alarm(logger, clock);
  return async (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const error = toSluiceError(fromFastify(thrown as FastifyError));
    const fields = { err: error.cause ?? error, method: request.method, url: request.routeOptions.url };
    if (error.code === 'storage_unavailable') outage.raise(fields, error.message);
    else if (error.status >= 500) logger.error(fields, error.message);
    reply.header(HELP_HEADER, helpAnchor(error));
    if (error.status === 400 || error.status === 422) reply.header('x-should-retry', 'false');
    return reply.code(error.status).send(errorBody(error));
  };
}

/** Turns Fastify's own errors into ours. */
function fromFastify(error: FastifyError): unknown {
  if (error instanceof SluiceError) return error;
  if (error.validation) return invalidRequest(detailsOf(error.validation, error.validationContext));
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new SluiceError('request_too_large', 'The body is too large.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new SluiceError(
        'unsupported_media_type',
        'The body must be JSON, with content-type application/json.',
      );
    default:
      // Other errors are mapped by their status below.
      break;
  }
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return invalidRequest([{ path: 'body', message: error.message }]);
  }
  return error;
}
