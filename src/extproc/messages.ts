import type { Reply } from '../pipeline/exchange/http.js';
import type { CommonResponse, ProcessingRequest, ProcessingResponse, StructValue } from './protocol.js';

/* Builders and readers of ext_proc messages. */

/** An attribute that the filter's configuration asks for. */
export function readAttribute(message: ProcessingRequest, name: string): string | undefined {
  for (const struct of Object.values(message.attributes ?? {})) {
    const value = struct.fields?.[name];
    if (value !== undefined) return value.stringValue ?? value.numberValue?.toString();
  }
  return undefined;
}

/** Envoy's response code details for a request that asks for another protocol, such as WebSocket. */
export const UPGRADE_REFUSED = 'upgrade_failed';
/** Envoy's response code details for an answer that is ready in its configuration. */
export const READY_ANSWER = 'direct_response';
/** Envoy's response code details for an attempt that it did not make. The attempt filter never sees such an attempt. */
const NEVER_MADE = /^no_healthy_upstream|\{overflow/;

/**
 * How many attempts Envoy has made for a request that it answers by itself. 0 where a provider answers, because its
 * attempt has already arrived, and where an older configuration of Envoy does not send the number.
 */
export function attemptsMade(message: ProcessingRequest): number {
  const details = readAttribute(message, 'response.code_details');
  if (details === undefined || details === 'via_upstream' || NEVER_MADE.test(details)) return 0;
  return Number(readAttribute(message, 'upstream.request_attempt_count') ?? 0);
}

export function readDynamicMetadata(
  message: ProcessingRequest,
  namespace: string,
  key: string,
): string | undefined {
  return message.metadataContext?.filterMetadata?.[namespace]?.fields?.[key]?.stringValue;
}

/** Envoy accepts pieces of at most 64 KiB in duplex mode. */
const MAX_PIECE_BYTES = 64 * 1024;

/**
 * A body in pieces that Envoy accepts; the last one says whether anything follows. An empty body is one empty piece.
 */
export function bodyPieces(body: Buffer, endOfStream: boolean): CommonResponse[] {
  if (body.length <= MAX_PIECE_BYTES) return [bodyPiece(body, endOfStream)];
  const pieces: CommonResponse[] = [];
  for (let at = 0; at < body.length; at += MAX_PIECE_BYTES) {
    const isLast = at + MAX_PIECE_BYTES >= body.length;
    pieces.push(bodyPiece(body.subarray(at, at + MAX_PIECE_BYTES), endOfStream && isLast));
  }
  return pieces;
}

function bodyPiece(body: Buffer, endOfStream: boolean): CommonResponse {
  return { bodyMutation: { streamedResponse: { body, endOfStream } } };
}

/** An answer in Envoy's name, in place of the one that would follow. */
export function immediateResponse(
  { status, headers, body }: Omit<Reply, 'body'> & { body: string | Buffer },
  details: string,
): ProcessingResponse {
  return {
    immediateResponse: {
      status: { code: status },
      headers: { set: headers, remove: [] },
      body: typeof body === 'string' ? Buffer.from(body) : body,
      details,
    },
  };
}

export const text = (stringValue: string): StructValue => ({ stringValue });
export const list = (values: StructValue[]): StructValue => ({ listValue: { values } });
export const struct = (fields: Record<string, StructValue>): StructValue => ({ structValue: { fields } });
export const number = (numberValue: number): StructValue => ({ numberValue });

/**
 * The request that Envoy sends on, with other headers and another body. `isTogether` says whether its body came with its headers.
 */
export function changedRequest(
  { set, remove }: { set: Record<string, string>; remove: string[] },
  body: Buffer,
  isTogether: boolean,
): ProcessingResponse {
  // Envoy accepts a body only together with its length.
  const headerMutation = { set: { 'content-length': String(body.length), ...set }, remove };
  const response: CommonResponse = { headerMutation, clearRouteCache: true, bodyMutation: { body } };
  if (!isTogether) return { requestBody: { response } };
  response.status = 'CONTINUE_AND_REPLACE';
  return { requestHeaders: { response } };
}
