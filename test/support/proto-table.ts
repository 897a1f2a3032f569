import { loadSync } from '@grpc/proto-loader';

/**
 * The wire format of some .proto files: numbers and types of fields, numbers of enum values, and paths of methods.
 */
export interface ProtoTable {
  /** The fields by message and number, as texts such as `2 repeated message HeaderValue`. */
  messages: Record<string, Record<string, string>>;
  enums: Record<string, Record<string, number>>;
  /** The methods by path, as texts such as `stream ProcessingRequest → stream ProcessingResponse`. */
  methods: Record<string, string>;
}

interface Field {
  name: string;
  number: number;
  label: string;
  type: string;
  typeName: string;
}

interface EnumType {
  name: string;
  value: { name: string; number: number }[];
}

interface MessageType {
  name: string;
  field: Field[];
  nestedType: MessageType[];
  enumType: EnumType[];
}

interface Method {
  path: string;
  requestStream: boolean;
  responseStream: boolean;
  requestType: { type: { name: string } };
  responseType: { type: { name: string } };
}

/**
 * The table of `files`, which are below `folder`, and of everything that they import, without protobuf's own
 * files.
 */
export function readProtoTable(folder: string, files: string[]): ProtoTable {
  const table: ProtoTable = { messages: {}, enums: {}, methods: {} };
  const definition = loadSync(files, { includeDirs: [folder], keepCase: true, enums: String });
  for (const [name, entry] of Object.entries(definition)) {
    if (name.startsWith('google.protobuf.')) continue;
    if (!('type' in entry)) addMethods(table, entry as unknown as Record<string, Method>);
    else if (entry.format === 'Protocol Buffer 3 DescriptorProto')
      addMessage(table, name, entry.type as MessageType);
    else addEnum(table, name, entry.type as unknown as EnumType);
  }
  return table;
}

function addMessage(table: ProtoTable, name: string, type: MessageType): void {
  table.messages[name] = Object.fromEntries(type.field.map((field) => [field.name, describeField(field)]));
  for (const nested of type.nestedType) addMessage(table, `${name}.${nested.name}`, nested);
  for (const nested of type.enumType) addEnum(table, `${name}.${nested.name}`, nested);
}

function addEnum(table: ProtoTable, name: string, type: EnumType): void {
  table.enums[name] = Object.fromEntries(type.value.map((value) => [value.name, value.number]));
}

function addMethods(table: ProtoTable, service: Record<string, Method>): void {
  for (const { path, requestStream, responseStream, requestType, responseType } of Object.values(service)) {
    const side = (streamed: boolean, { type }: { type: { name: string } }) =>
      `${streamed ? 'stream ' : ''}${type.name}`;
    table.methods[path] = `${side(requestStream, requestType)} → ${side(responseStream, responseType)}`;
  }
}

function describeField({ number, label, type, typeName }: Field): string {
  const words = [
    number,
    label === 'LABEL_REPEATED' ? 'repeated' : '',
    type.slice('TYPE_'.length).toLowerCase(),
  ];
  // A type's name is compared without its package, because the files may write it with or without.
  return [...words, typeName.slice(typeName.lastIndexOf('.') + 1)].filter((word) => word !== '').join(' ');
}
