/** The parts of a JSON Schema that the forms use. */
export interface JsonSchema {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  writeOnly?: boolean;
  /** Known values; other values may be written too. */
  suggestions?: readonly string[];
}

/** The initial value for a schema, with only the members that are required. */
export function emptyOf(schema: JsonSchema): unknown {
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, emptyOf(schema.properties?.[name] ?? {})]),
      );
    case 'array':
      return [];
    case 'string':
      return '';
    default:
      return undefined;
  }
}

/** What is wrong with a single value, as far as a form can tell. The server checks everything. */
export function mistakeOf(schema: JsonSchema, value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value === 'string' && schema.type === 'string') return textMistake(schema, value);
  if (schema.type === 'integer' || schema.type === 'number') return numberMistake(schema, value);
  return undefined;
}

function textMistake(
  { minLength = 0, maxLength = Infinity, pattern }: JsonSchema,
  value: string,
): string | undefined {
  if (value.length < minLength) return `must have at least ${minLength} characters`;
  if (value.length > maxLength) return `must have at most ${maxLength} characters`;
  if (pattern !== undefined && !fits(pattern, value)) return `must match ${pattern}`;
  return undefined;
}

function numberMistake(schema: JsonSchema, value: unknown): string | undefined {
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity } = schema;
  if (typeof value !== 'number' || Number.isNaN(value)) return 'must be a number';
  if (schema.type === 'integer' && !Number.isInteger(value)) return 'must be a whole number';
  if (value < minimum) return `must be at least ${minimum}`;
  if (value > maximum) return `must be at most ${maximum}`;
  if (value <= exclusiveMinimum) return `must be above ${exclusiveMinimum}`;
  return undefined;
}

function fits(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true; // A pattern that the browser cannot compile is left to the server.
  }
}
