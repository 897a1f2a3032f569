import { createServer } from 'node:http';

/**
 * The field numbers that lead to the spans of an export: resource_spans, scope_spans, spans (OTLP's
 * trace_service.proto and trace.proto).
 */
const SPANS_PATH = [1, 2, 2];
const LENGTH_DELIMITED = 2;

/** A collector that counts the spans that it receives in OTLP's binary form, and keeps none. */
export class Collector {
  spans = 0;
  #server;

  static async start() {
    const collector = new Collector();
    collector.#server = createServer((request, response) => {
      const parts = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        collector.spans += countAt(Buffer.concat(parts), SPANS_PATH);
        response.end();
      });
    });
    await new Promise((resolve) => collector.#server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get port() {
    return this.#server.address().port;
  }

  stop() {
    this.#server.close();
    this.#server.closeAllConnections();
  }
}

/** Counts the messages at this path of field numbers. All fields on the path are messages. */
function countAt(message, [number, ...rest]) {
  let count = 0;
  for (let at = 0; at < message.length; ) {
    const tag = readVarint(message, at);
    // All fields of the messages on the path have a length in front.
    if ((tag.value & 7) !== LENGTH_DELIMITED) throw new Error(`field ${tag.value >> 3} is of another kind`);
    const { value: length, end } = readVarint(message, tag.end);
    at = end + length;
    if (tag.value >> 3 !== number) continue;
    count += rest.length === 0 ? 1 : countAt(message.subarray(end, at), rest);
  }
  return count;
}

function readVarint(bytes, start) {
  let value = 0;
  for (let at = start, shift = 0; ; at++, shift += 7) {
    value |= (bytes[at] & 0x7f) << shift;
    if (bytes[at] < 0x80) return { value, end: at + 1 };
  }
}
