import { Writer } from '../../core/protobuf/writer.js';
import type { CommonResponse, HeaderMutation, ProcessingMode, ProcessingResponse } from '../protocol.js';
import { writeStruct } from './struct.js';

/** The protobuf numbers of the values that are written. */
const OVERWRITE_IF_EXISTS_OR_ADD = 2;
const CONTINUE_AND_REPLACE = 1;
const SEND = 1;
const FULL_DUPLEX_STREAMED = 4;

/** Messages are written one after the other, so one buffer is enough. */
const writer = new Writer();

/** The bytes of an answer to Envoy. Fields are written in reverse order, as `Writer` requires. */
export function writeProcessingResponse(message: ProcessingResponse): Buffer {
  if (message.modeOverride !== undefined) writeMode(9, message.modeOverride);
  if (message.dynamicMetadata !== undefined) writeStruct(writer, 8, message.dynamicMetadata);
  if (message.immediateResponse !== undefined) writeImmediate(7, message.immediateResponse);
  if (message.responseTrailers !== undefined) writeTrailers(6);
  if (message.requestTrailers !== undefined) writeTrailers(5);
  if (message.responseBody !== undefined) writeCommon(4, message.responseBody.response);
  if (message.requestBody !== undefined) writeCommon(3, message.requestBody.response);
  if (message.responseHeaders !== undefined) writeCommon(2, message.responseHeaders.response);
  if (message.requestHeaders !== undefined) writeCommon(1, message.requestHeaders.response);
  return writer.finish();
}

/** HeadersResponse and BodyResponse: each holds a CommonResponse. */
function writeCommon(field: number, response: CommonResponse): void {
  const outer = writer.open();
  const inner = writer.open();
  writer.bool(5, response.clearRouteCache === true);
  if (response.bodyMutation !== undefined) writeBody(3, response.bodyMutation);
  if (response.headerMutation !== undefined) writeHeaders(2, response.headerMutation);
  if (response.status === 'CONTINUE_AND_REPLACE') writer.int(1, CONTINUE_AND_REPLACE);
  writer.close(1, inner);
  writer.close(field, outer);
}

function writeTrailers(field: number): void {
  writer.close(field, writer.open());
}

function writeBody(field: number, mutation: NonNullable<CommonResponse['bodyMutation']>): void {
  const outer = writer.open();
  if ('body' in mutation) {
    writer.bytes(1, mutation.body);
  } else {
    const { body, endOfStream } = mutation.streamedResponse;
    const inner = writer.open();
    writer.bool(2, endOfStream);
    writer.bytes(1, body);
    writer.close(3, inner);
  }
  writer.close(field, outer);
}

function writeHeaders(field: number, { set, remove }: HeaderMutation): void {
  const outer = writer.open();
  for (let index = remove.length - 1; index >= 0; index--) writer.text(2, remove[index]!);
  const names = Object.keys(set);
  for (let index = names.length - 1; index >= 0; index--) {
    const key = names[index]!;
    const option = writer.open();
    writer.int(3, OVERWRITE_IF_EXISTS_OR_ADD);
    const header = writer.open();
    // Envoy reads `raw_value`.
    writer.text(3, set[key]!);
    writer.text(1, key);
    writer.close(1, header);
    writer.close(1, option);
  }
  writer.close(field, outer);
}

function writeImmediate(
  field: number,
  { status, headers, body, details }: NonNullable<ProcessingResponse['immediateResponse']>,
): void {
  const outer = writer.open();
  if (details !== undefined) writer.text(5, details);
  if (body !== undefined) writer.bytes(3, body);
  if (headers !== undefined) writeHeaders(2, headers);
  const code = writer.open();
  writer.int(1, status.code);
  writer.close(1, code);
  writer.close(field, outer);
}

function writeMode(field: number, _mode: ProcessingMode): void {
  const outer = writer.open();
  writer.int(6, SEND);
  writer.int(4, FULL_DUPLEX_STREAMED);
  writer.int(2, SEND);
  writer.int(1, SEND);
  writer.close(field, outer);
}
