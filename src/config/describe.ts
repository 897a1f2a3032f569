/** The parts of a schema that its description in words uses. */
export interface SchemaNode {
  type?: string | string[];
  description?: string;
  default?: unknown;
  enum?: string[];
  const?: unknown;
  anyOf?: SchemaNode[];
  items?: SchemaNode;
  properties?: Record<string, SchemaNode>;
  required?: string[];
  additionalProperties?: boolean | SchemaNode;
}

/** What a schema allows, in words: `text`, `one of a, b`, `a whole number`. */
export function describeType(schema: SchemaNode): string {
  if (schema.anyOf) return schema.anyOf.map(describeType).join(' or ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return `one of ${schema.enum.join(', ')}`;
  if (Array.isArray(schema.type)) return schema.type.map((type) => describeType({ type })).join(' or ');
  switch (schema.type) {
    case 'string':
      return 'text';
    case 'integer':
      return 'a whole number';
    case 'number':
      return 'a number';
    case 'boolean':
      return 'true or false';
    case 'array':
      return schema.items?.enum ? `a list of ${schema.items.enum.join(', ')}` : 'a list';
    case 'object':
      return 'a map';
    default:
      // The schema names no type.
      return 'a value';
  }
}

/** A value of the file in words; a long value is shortened. */
export function describeValue(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value);
  return String(value);
}
