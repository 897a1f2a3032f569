import type { Static, TArray, TObject, TProperties, TSchema } from 'typebox';
import type { JsonValue } from '../core/json.js';
import { Type } from '../core/schema-type.js';

/** A pattern with a description, because a regular expression alone does not explain to people what is allowed. */
export interface NamedPattern {
  pattern: string;
  expected: string;
}

export const PATTERNS = {
  uuid: {
    pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
    expected: 'a UUID such as 00000000-0000-4000-8000-000000000001',
  },
  // Names become Envoy clusters and metric labels, and Envoy treats a dot as the end of a cluster's name.
  providerName: {
    pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$',
    expected: 'a name of up to 63 letters, digits, "_" and "-"',
  },
  text: { pattern: '^[^\\u0000-\\u001f\\u007f]+$', expected: 'text on one line' },
  // Clients resolve a last step `..` to the project, so deleting an endpoint of that name would delete its project.
  endpointName: {
    // Without lookahead, which Helm's patterns do not support.
    pattern:
      '^(\\.{0,2}[^.\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*|\\.{3}[^\\u0000-\\u001f\\u007f]*)$',
    expected: 'text on one line, other than "." and ".."',
  },
  limitSubject: {
    pattern: '^(project|key|endpoint|tag|metadata\\.[^\\u0000-\\u001f\\u007f]{1,256})$',
    expected: '"project", "key", "endpoint", "tag" or "metadata." and a key of the metadata',
  },
  stickyMark: {
    pattern:
      "^(conversation|metadata\\.[^\\u0000-\\u001f\\u007f]{1,256}|header\\.[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128})$",
    expected: '"conversation", "metadata." and a key, or "header." and a name',
  },
  key: { pattern: '^[!-~]+$', expected: 'a key of letters, digits and signs, without spaces' },
  variable: {
    pattern: '^[A-Za-z_][A-Za-z0-9_]*$',
    expected: 'the name of an environment variable',
  },
  address: {
    pattern: '^([0-9.]+|\\[[0-9A-Fa-f:.]+\\]):[0-9]{1,5}$',
    expected: 'an IP address and a port, such as 0.0.0.0:9191 or [::]:9191',
  },
  origin: {
    pattern: '^(\\*|[A-Za-z][A-Za-z0-9+.-]*://[^/?#\\s]+)$',
    expected: 'an origin such as https://app.example.com, without a path and a slash at its end, or "*"',
  },
  none: { pattern: '^none$', expected: '"none" or a map' },
  headerName: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", expected: 'the name of an HTTP header' },
  headerValue: {
    pattern: '^([!-~\\u0080-\\u00ff]([\\t -~\\u0080-\\u00ff]*[!-~\\u0080-\\u00ff])?)?$',
    expected: 'the value of an HTTP header on one line',
  },
} as const satisfies Record<string, NamedPattern>;

/** The longest delay of a Node timer. A longer one would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;
/** V8's longest string. A longer body could not be read. */
const LONGEST_TEXT_BYTES = 536_870_888;

interface About {
  description: string;
}

/**
 * An object with these keys and no others. Keys with a default may be left out and are filled in; the static type is
 * that of the filled object.
 */
export function section<Properties extends TProperties>(
  properties: Properties,
  options: Partial<About> & { default?: object } = {},
): TObject<Properties> {
  const schema = Type.Object(properties, { ...options, additionalProperties: false });
  const written = schema as { required?: string[] };
  const required = (written.required ?? []).filter((key) => !('default' in properties[key]!));
  if (required.length > 0) written.required = required;
  else delete written.required;
  return schema;
}

export function text({ description, pattern = PATTERNS.text.pattern }: About & { pattern?: string }) {
  return Type.String({ minLength: 1, maxLength: 256, pattern, description });
}

export function url(options: About) {
  return Type.String({ minLength: 1, maxLength: 2048, ...options });
}

export function flag(options: About) {
  return Type.Boolean({ default: false, ...options });
}

/**
 * A boolean, or a map with more settings. It is one schema without alternatives, so that mistakes and defaults are
 * those of the map.
 */
export function flagOr<Properties extends TProperties>(map: TObject<Properties>, options: About) {
  return Type.Unsafe<boolean | Static<TObject<Properties>>>({
    type: ['boolean', 'object'],
    properties: map.properties,
    additionalProperties: false,
    default: false,
    ...options,
  });
}

/** The word `none`, or a map. */
export function noneOr<Properties extends TProperties>(map: TObject<Properties>, options: About) {
  const { required } = map as { required?: string[] };
  return Type.Unsafe<'none' | Static<TObject<Properties>>>({
    type: ['string', 'object'],
    pattern: PATTERNS.none.pattern,
    properties: map.properties,
    ...(required === undefined ? {} : { required }),
    additionalProperties: false,
    ...options,
  });
}

export function choice<const Values extends readonly string[]>(
  values: Values,
  options: About & { default?: Values[number] },
) {
  return Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options });
}

/** A list of some of these values, without duplicates. */
export function choices<const Values extends readonly string[]>(
  values: Values,
  options: About & { default?: readonly Values[number][]; minItems?: number },
) {
  return Type.Unsafe<Values[number][]>({
    type: 'array',
    items: { type: 'string', enum: [...values] },
    uniqueItems: true,
    ...options,
  });
}

export function milliseconds(options: About & { default: number; minimum?: number }) {
  return Type.Integer({ minimum: 1, maximum: LONGEST_TIMER_MS, ...options });
}

export function bytes(options: About & { default: number }) {
  return Type.Integer({ minimum: 1, maximum: LONGEST_TEXT_BYTES, ...options });
}

/** A map with arbitrary keys, or with keys that match a pattern. */
export function mapOf<Value extends TSchema>(
  value: Value,
  options: About & { keys?: NamedPattern; default?: object; minProperties?: number },
) {
  const { keys, ...rest } = options;
  return Type.Unsafe<Record<string, Static<Value>>>({
    type: 'object',
    ...(keys && { propertyNames: { pattern: keys.pattern } }),
    additionalProperties: value,
    ...rest,
  });
}

export function jsonMap(options: About & { default?: object; minProperties?: number }) {
  return Type.Unsafe<Record<string, JsonValue>>({ type: 'object', ...options });
}

/** A list that may be left out. */
export function list<Item extends TSchema>(item: Item, options: About & { minItems?: number }): TArray<Item> {
  return Type.Array(item, { ...(options.minItems === undefined && { default: [] }), ...options });
}

export const optional = Type.Optional;
