import { Reader } from '../../core/protobuf/reader.js';
import type { HttpBody, HttpHeaders, ProcessingRequest, Struct } from '../protocol.js';
import { readHeaderMap } from './read-headers.js';
import { readStructEntry } from './struct.js';

/** A value of Envoy's BodySendMode. */
const FULL_DUPLEX_STREAMED = 4;

/** Messages of Envoy. Unknown fields are skipped. A body is a view into `message`. */
export function readProcessingRequest(message: Buffer): ProcessingRequest {
  const request: ProcessingRequest = {};
  const reader = new Reader(message);
  while (reader.next()) {
    switch (reader.field) {
      case 2:
        request.request = 'requestHeaders';
        request.requestHeaders = readHttpHeaders(reader.message());
        break;
      case 3:
        request.request = 'responseHeaders';
        request.responseHeaders = readHttpHeaders(reader.message());
        break;
      case 4:
        request.request = 'requestBody';
        request.requestBody = readHttpBody(reader.message());
        break;
      case 5:
        request.request = 'responseBody';
        request.responseBody = readHttpBody(reader.message());
        break;
      case 6:
        request.request = 'requestTrailers';
        reader.skip();
        break;
      case 7:
        request.request = 'responseTrailers';
        reader.skip();
        break;
      case 8:
        request.metadataContext = readMetadata(reader.message());
        break;
      case 9:
        request.attributes ??= {};
        readStructEntry(reader.message(), request.attributes);
        break;
      case 11:
        request.duplexRequest = readsDuplex(reader.message());
        break;
      default:
        // The field is not used.
        reader.skip();
    }
  }
  return request;
}

/** Whether the filter is configured to get the request's body in pieces. */
function readsDuplex(reader: Reader): boolean {
  let mode = 0;
  while (reader.next()) {
    if (reader.field === 1) mode = reader.int();
    else reader.skip();
  }
  return mode === FULL_DUPLEX_STREAMED;
}

export function readMetadata(reader: Reader): { filterMetadata: Record<string, Struct> } {
  const filterMetadata: Record<string, Struct> = {};
  while (reader.next()) {
    if (reader.field === 1) readStructEntry(reader.message(), filterMetadata);
    else reader.skip();
  }
  return { filterMetadata };
}

function readHttpHeaders(reader: Reader): HttpHeaders {
  const found: HttpHeaders = { headers: {}, endOfStream: false };
  while (reader.next()) {
    if (reader.field === 1) readHeaderMap(reader.bytes(), found.headers);
    else if (reader.field === 3) found.endOfStream = reader.bool();
    else reader.skip();
  }
  return found;
}

function readHttpBody(reader: Reader): HttpBody {
  const found: HttpBody = { endOfStream: false };
  while (reader.next()) {
    if (reader.field === 1) found.body = reader.bytes();
    else if (reader.field === 2) found.endOfStream = reader.bool();
    else reader.skip();
  }
  return found;
}
