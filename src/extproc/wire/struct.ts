import type { Reader } from '../../core/protobuf/reader.js';
import type { Writer } from '../../core/protobuf/writer.js';
import type { Struct, StructValue } from '../protocol.js';

/* google.protobuf.Struct, which dynamic metadata and attributes are made of. */

/** Envoy nests a few levels; deeper values are not from Envoy. */
const MAX_DEPTH = 32;

function readStruct(reader: Reader, depth = 0): Struct {
  const fields: Record<string, StructValue> = {};
  while (reader.next()) {
    if (reader.field === 1) readEntry(reader.message(), fields, depth);
    else reader.skip();
  }
  return { fields };
}

function readEntry(reader: Reader, fields: Record<string, StructValue>, depth: number): void {
  let key = '';
  let value: StructValue = {};
  while (reader.next()) {
    if (reader.field === 1) key = reader.text();
    else if (reader.field === 2) value = readValue(reader.message(), depth);
    else reader.skip();
  }
  fields[key] = value;
}

function readValue(reader: Reader, depth: number): StructValue {
  if (depth > MAX_DEPTH) throw new RangeError('metadata nests too deep');
  let value: StructValue = {};
  while (reader.next()) {
    switch (reader.field) {
      case 2:
        value = { numberValue: reader.double() };
        break;
      case 3:
        value = { stringValue: reader.text() };
        break;
      case 4:
        value = { boolValue: reader.bool() };
        break;
      case 5:
        value = { structValue: readStruct(reader.message(), depth + 1) };
        break;
      case 6:
        value = { listValue: readList(reader.message(), depth + 1) };
        break;
      default:
        // The value is null, or of a newer kind.
        reader.skip();
    }
  }
  return value;
}

function readList(reader: Reader, depth: number): { values: StructValue[] } {
  const values: StructValue[] = [];
  while (reader.next()) {
    if (reader.field === 1) values.push(readValue(reader.message(), depth));
    else reader.skip();
  }
  return { values };
}

/** A map of names to structs, such as the metadata of filters. */
export function readStructEntry(reader: Reader, structs: Record<string, Struct>): void {
  let key = '';
  let value: Struct = {};
  while (reader.next()) {
    if (reader.field === 1) key = reader.text();
    else if (reader.field === 2) value = readStruct(reader.message());
    else reader.skip();
  }
  structs[key] = value;
}

export function writeStruct(writer: Writer, field: number, { fields = {} }: Struct): void {
  const place = writer.open();
  const keys = Object.keys(fields);
  for (let index = keys.length - 1; index >= 0; index--) {
    const key = keys[index]!;
    const entry = writer.open();
    writeValue(writer, 2, fields[key]!);
    writer.text(1, key);
    writer.close(1, entry);
  }
  writer.close(field, place);
}

function writeValue(writer: Writer, field: number, value: StructValue): void {
  const place = writer.open();
  if (value.numberValue !== undefined) writer.double(2, value.numberValue);
  else if (value.stringValue !== undefined) writer.text(3, value.stringValue);
  else if (value.boolValue !== undefined) writer.int(4, value.boolValue ? 1 : 0);
  else if (value.structValue !== undefined) writeStruct(writer, 5, value.structValue);
  else if (value.listValue !== undefined) {
    const list = writer.open();
    for (const item of value.listValue.values.toReversed()) writeValue(writer, 1, item);
    writer.close(6, list);
  }
  writer.close(field, place);
}
