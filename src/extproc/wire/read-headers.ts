import { isAscii } from 'node:buffer';
import { Reader } from '../../core/protobuf/reader.js';

/*
 * Headers are most of a message: some thirty short texts. A native call for each would be slow, so all are decoded as
 * one text and cut out of it. Names repeat in each request and are taken from a cache.
 */

/** The most names in the cache, because clients choose names. */
const MOST_NAMES = 512;
const LONGEST_NAME = 64;
const OWN = { enumerable: true, configurable: true, writable: true };

const namesByLength: string[][] = Array.from({ length: LONGEST_NAME + 1 }, () => []);
let namesKept = 0;

/** Reads a HeaderMap into `headers`. Envoy sends `raw_value`; `value` is used where there is no other. */
export function readHeaderMap(map: Buffer, headers: Record<string, string>): void {
  const text = isAscii(map) ? map.toString('latin1') : undefined;
  const reader = new Reader(map);
  while (reader.next()) {
    if (reader.field === 1) readHeader(reader, map, text, headers);
    else reader.skip();
  }
}

/** Reads one header. The values of a repeated name are joined. */
function readHeader(
  reader: Reader,
  map: Buffer,
  text: string | undefined,
  headers: Record<string, string>,
): void {
  const end = reader.enter();
  let key = '';
  let value = '';
  let raw = '';
  while (reader.next(end)) {
    if (reader.field === 1) key = readName(map, text, reader.span());
    else if (reader.field === 2) value = readValue(map, text, reader.span());
    else if (reader.field === 3) raw = readValue(map, text, reader.span());
    else reader.skip();
  }
  const found = raw === '' ? value : raw;
  const joined = Object.hasOwn(headers, key) ? `${headers[key]}, ${found}` : found;
  // A plain assignment of this key would set the object's prototype, so the header would be forwarded without anybody
  // seeing it.
  if (key === '__proto__') Object.defineProperty(headers, key, { ...OWN, value: joined });
  else headers[key] = joined;
}

interface Place {
  start: number;
  end: number;
}

function readValue(map: Buffer, text: string | undefined, { start, end }: Place): string {
  return text === undefined ? map.toString('utf8', start, end) : text.slice(start, end);
}

function readName(map: Buffer, text: string | undefined, place: Place): string {
  const { start, end } = place;
  const length = end - start;
  if (text === undefined || length > LONGEST_NAME) return readValue(map, text, place);
  const names = namesByLength[length]!;
  for (const name of names) if (text.startsWith(name, start)) return name;
  const name = text.slice(start, end);
  if (namesKept < MOST_NAMES) {
    namesKept++;
    // V8 then stores the names as property names, so that each need not be looked up.
    names.push(Object.keys({ [name]: true })[0]!);
  }
  return name;
}
