import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';

/*
 * The API refuses output schemas with certain keywords of JSON Schema. They are removed here and described in words
 * instead. The answer is still checked against the schema that the client sent.
 */

/** The formats that the API accepts. */
const FORMATS = new Set([
  'date-time',
  'time',
  'date',
  'duration',
  'email',
  'hostname',
  'uri',
  'ipv4',
  'ipv6',
  'uuid',
]);

/** How the prompt describes a keyword that was removed. */
const WORDS: Record<string, (value: JsonValue) => string> = {
  minimum: (value) => `at least ${text(value)}`,
  maximum: (value) => `at most ${text(value)}`,
  exclusiveMinimum: (value) => `more than ${text(value)}`,
  exclusiveMaximum: (value) => `less than ${text(value)}`,
  multipleOf: (value) => `a multiple of ${text(value)}`,
  minLength: (value) => `at least ${text(value)} characters`,
  maxLength: (value) => `at most ${text(value)} characters`,
  pattern: (value) => `matches the pattern ${text(value)}`,
  format: (value) => `of the format ${text(value)}`,
  minItems: (value) => `at least ${text(value)} items`,
  maxItems: (value) => `at most ${text(value)} items`,
  uniqueItems: () => 'no item twice',
  minContains: (value) => `at least ${text(value)} of the items that it must contain`,
  maxContains: (value) => `at most ${text(value)} of the items that it must contain`,
  contains: (value) => `contains an item that satisfies ${text(value)}`,
  minProperties: (value) => `at least ${text(value)} members`,
  maxProperties: (value) => `at most ${text(value)} members`,
  patternProperties: (value) => `members by the patterns of their names: ${text(value)}`,
  propertyNames: (value) => `names of members satisfy ${text(value)}`,
  dependentRequired: (value) => `members that need others: ${text(value)}`,
  dependentSchemas: (value) => `members that need more: ${text(value)}`,
  if: (value) => `if it satisfies ${text(value)}, what follows holds`,
  // biome-ignore lint/suspicious/noThenProperty: the keyword's own name.
  then: (value) => `then it satisfies ${text(value)}`,
  else: (value) => `else it satisfies ${text(value)}`,
  not: (value) => `does not satisfy ${text(value)}`,
  prefixItems: (value) => `the first items satisfy, in their order, ${text(value)}`,
};

/** Keywords that say nothing about the value, or something only for programs. */
const SILENT = new Set(['$schema', '$comment', '$id', 'examples', 'deprecated', 'readOnly', 'writeOnly']);

/** Keywords whose value is one schema, a list of schemas, or schemas by names. */
const ONE = ['items'];
const SEVERAL = ['anyOf', 'oneOf', 'allOf'];
const NAMED = ['properties', '$defs', 'definitions'];

/** How deep a schema is followed. Deeper parts are sent unchanged. */
const MOST_LEVELS = 100;

/** The schema in the form that the API accepts. */
export function acceptedSchema(schema: JsonValue, level = 0): JsonValue {
  if (!isJsonObject(schema) || level > MOST_LEVELS) return schema;
  const inside = (value: JsonValue) => acceptedSchema(value, level + 1);
  const accepted: JsonObject = {};
  const described: string[] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (SILENT.has(keyword)) continue;
    if (isRefused(keyword, value)) {
      described.push(WORDS[keyword]!(value));
    } else if (ONE.includes(keyword)) accepted[keyword] = Array.isArray(value) ? value : inside(value);
    else if (SEVERAL.includes(keyword) && Array.isArray(value)) {
      // The API has no `oneOf`. That exactly one of the schemas matches is checked here afterwards.
      const name = keyword === 'oneOf' ? 'anyOf' : keyword;
      accepted[name] = value.map(inside);
    } else if (NAMED.includes(keyword) && isJsonObject(value)) {
      const schemas = Object.entries(value).map(([name, member]) => [name, inside(member)] as const);
      accepted[keyword] = Object.fromEntries(schemas);
    } else accepted[keyword] = value;
  }
  // This API requires that objects allow only the members that are named. Other APIs allow others by default.
  if (isObject(accepted)) accepted.additionalProperties = false;
  if (described.length > 0) accepted.description = withWords(accepted.description, described);
  return accepted;
}

/**
 * Whether the API can enforce the schema. It cannot enforce objects with free member names, nor a schema that
 * contains itself; such a schema is put into the prompt.
 */
export function canBeHeldTo(schema: JsonValue): boolean {
  return isJsonObject(schema) && !holdsItself(schema) && hasOnlyNamedMembers(schema, 0);
}

function hasOnlyNamedMembers(schema: JsonValue, level: number): boolean {
  if (!isJsonObject(schema)) return schema !== true;
  if (level > MOST_LEVELS) return false;
  const { additionalProperties: others } = schema;
  const isOpen = others === undefined ? namesNothing(schema) : others !== false && namesNothing(schema);
  const isMap = isJsonObject(others) && Object.keys(others).length > 0;
  if (isObject(schema) && (isOpen || isMap)) return false;
  return schemasIn(schema).every((inside) => hasOnlyNamedMembers(inside, level + 1));
}

function namesNothing({ properties }: JsonObject): boolean {
  return !isJsonObject(properties) || Object.keys(properties).length === 0;
}

function schemasIn(schema: JsonObject): JsonValue[] {
  const named = NAMED.flatMap((keyword) =>
    isJsonObject(schema[keyword]) ? Object.values(schema[keyword]) : [],
  );
  const several = SEVERAL.flatMap((keyword) => (Array.isArray(schema[keyword]) ? schema[keyword] : []));
  return [...named, ...several, ...ONE.flatMap((keyword) => schema[keyword] ?? [])];
}

/** Whether the schema contains itself. Only references to `$defs` are followed; the API refuses others itself. */
function holdsItself(root: JsonObject): boolean {
  const definitions = new Map<string, JsonValue>();
  for (const keyword of ['$defs', 'definitions']) {
    for (const [name, schema] of Object.entries(isJsonObject(root[keyword]) ? root[keyword] : {})) {
      definitions.set(`#/${keyword}/${name}`, schema);
    }
  }
  const done = new Set<string>();
  function visit(schema: JsonValue, within: readonly string[]): boolean {
    if (!isJsonObject(schema) || within.length > MOST_LEVELS) return false;
    const reference = schema.$ref;
    if (reference === '#' || (typeof reference === 'string' && within.includes(reference))) return true;
    if (typeof reference === 'string' && !done.has(reference) && definitions.has(reference)) {
      if (visit(definitions.get(reference)!, [...within, reference])) return true;
      done.add(reference);
    }
    return schemasIn(schema).some((inside) => visit(inside, within));
  }
  return visit(root, []);
}

function isRefused(keyword: string, value: JsonValue): boolean {
  if (!Object.hasOwn(WORDS, keyword)) return false;
  if (keyword === 'format') return typeof value !== 'string' || !FORMATS.has(value);
  // Of `minItems`, the API accepts only 0 and 1.
  if (keyword === 'minItems') return value !== 0 && value !== 1;
  return true;
}

function isObject({ type, properties }: JsonObject): boolean {
  return type === 'object' || (Array.isArray(type) && type.includes('object')) || properties !== undefined;
}

function withWords(description: JsonValue | undefined, described: readonly string[]): string {
  const words = `Must hold: ${described.join('; ')}.`;
  return typeof description === 'string' && description !== '' ? `${description}\n${words}` : words;
}

function text(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
