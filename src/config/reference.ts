import { describeType, type SchemaNode } from './describe.js';
import { configSchema } from './schema.js';

const LINE_WIDTH = 110;

/** The text of `sluice.schema.json`, by which editors complete and check sluice.yaml. */
export function renderSchemaFile(): string {
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'sluice.yaml',
    ...configSchema,
  };
  return `${printJson(schema, 0, 0)}\n`;
}

/** The chart's `values.schema.json` with the schema of sluice.yaml for its value `config`. `text` is the present content. */
export function renderChartSchema(text: string): string {
  const schema = JSON.parse(text);
  schema.properties.config = JSON.parse(JSON.stringify(configSchema), withPlainPattern);
  return `${printJson(schema, 0, 0)}\n`;
}

/** Helm reads patterns with Go's RE2, which does not know `\\u001f`, so the character itself is written. */
function withPlainPattern(key: string, value: unknown): unknown {
  if (key !== 'pattern' || typeof value !== 'string') return value;
  return value.replaceAll(/\\u([0-9a-f]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** JSON as this repository's formatter writes it: short lists of plain values on one line. */
function printJson(value: unknown, depth: number, column: number): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const isList = Array.isArray(value);
  const items = isList
    ? value.map((item) => ['', item] as const)
    : Object.entries(value).map(([key, item]) => [`${JSON.stringify(key)}: `, item] as const);
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (items.length === 0) return open + close;
  if (isList && value.every((item) => typeof item !== 'object')) {
    const line = `[${value.map((item) => JSON.stringify(item)).join(', ')}]`;
    if (column + line.length < LINE_WIDTH) return line;
  }
  const indent = '  '.repeat(depth + 1);
  const lines = items.map(
    ([key, item]) => indent + key + printJson(item, depth + 1, indent.length + key.length),
  );
  return `${open}\n${lines.join(',\n')}\n${'  '.repeat(depth)}${close}`;
}

/** Every key of sluice.yaml with its type, default and meaning, as one Markdown table per part. */
export function renderReference(): string {
  return renderPart('', configSchema as SchemaNode).join('\n\n');
}

function renderPart(path: string, schema: SchemaNode): string[] {
  const keys = Object.entries(schema.properties ?? {});
  const rows = keys.map(([key, value]) => {
    const cells = [`\`${key}\``, describeType(value), describeDefault(schema, key, value), value.description];
    return `| ${cells.map((cell) => String(cell ?? '').replaceAll('|', '\\|')).join(' | ')} |`;
  });
  const head = ['| key | takes | default | meaning |', '|---|---|---|---|'];
  const title = path === '' ? '### Top' : `### \`${path}\``;
  const inner = keys.flatMap(([key, value]) => renderChild(path === '' ? key : `${path}.${key}`, value));
  return [title, [...head, ...rows].join('\n'), ...inner];
}

function renderChild(path: string, schema: SchemaNode): string[] {
  if (schema.properties) return renderPart(path, schema);
  if (schema.items?.properties) return renderPart(`${path}[]`, schema.items);
  const { additionalProperties: value } = schema;
  return typeof value === 'object' && value.properties ? renderPart(`${path}.<name>`, value) : [];
}

function describeDefault(parent: SchemaNode, key: string, schema: SchemaNode): string {
  if (parent.required?.includes(key)) return 'needed';
  if (schema.default === undefined) return '';
  const isEmpty = typeof schema.default === 'object' && Object.keys(schema.default ?? {}).length === 0;
  if (isEmpty) return '';
  return `\`${Array.isArray(schema.default) ? schema.default.join(', ') : String(schema.default)}\``;
}
