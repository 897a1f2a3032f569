import type { ErrorObject } from 'ajv';
import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import type { ErrorDetail } from '../../core/errors.js';
import { keyOfToken } from '../../core/json.js';

/** Which fields of a request were wrong, each once. Names of members are joined with dots. */
export function detailsOf(errors: readonly FastifySchemaValidationError[], part = 'body'): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  for (const error of (errors as readonly ErrorObject[]).filter(addsInformation)) {
    const path = pathOf(error, part) || part;
    if (!details.has(path)) details.set(path, { path, message: messageOf(error) });
  }
  return [...details.values()];
}

/** False for an error of a single alternative. Where no alternative matches, the value is reported once. */
function addsInformation(error: ErrorObject): boolean {
  return !/\/(anyOf|oneOf)\/\d+\//.test(error.schemaPath) && error.keyword !== 'if';
}

function pathOf(error: ErrorObject, part: string): string {
  const places = error.instancePath.split('/').slice(1).map(keyOfToken);
  // A query parameter that may be repeated is named by its name alone.
  const place = part === 'querystring' ? places.slice(0, 1) : places;
  const { missingProperty, additionalProperty } = error.params as Record<string, string | undefined>;
  const member = missingProperty ?? additionalProperty;
  return [...place, ...(member === undefined ? [] : [member])].join('.');
}

function messageOf(error: ErrorObject): string {
  const { params, parentSchema } = error as ErrorObject & { params: Record<string, unknown> };
  switch (error.keyword) {
    case 'required':
      return 'is missing';
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not known here';
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).map((value) => JSON.stringify(value)).join(', ')}`;
    case 'anyOf':
    case 'oneOf':
      return messageOfAlternatives(error.schema, error.keyword);
    case 'pattern':
      return `must have this form: ${(parentSchema as { description?: string } | undefined)?.description}`;
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return params.limit === 1 ? 'must not be empty' : (error.message ?? 'is too short');
    case 'type':
      return `must be ${[params.type].flat().join(' or ')}`;
    default:
      // The validator's own message is clear enough for the other keywords.
      return error.message ?? 'is not valid';
  }
}

interface Alternative {
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  minimum?: number;
  required?: string[];
}

/** The forms that a value may have, from the schemas of its alternatives. */
function messageOfAlternatives(schema: unknown, keyword: 'anyOf' | 'oneOf'): string {
  const alternatives = Array.isArray(schema) ? (schema as Alternative[]) : [];
  const members = alternatives.flatMap(({ required, type }) => (type === undefined ? (required ?? []) : []));
  if (members.length > 0)
    return `must have ${keyword === 'oneOf' ? 'exactly ' : ''}one of ${members.join(', ')}`;
  const forms = [...new Set(alternatives.flatMap(formsOf))];
  return forms.length > 0 ? `must be ${forms.join(' or ')}` : 'has none of the allowed forms';
}

function formsOf({ type, format, const: one, enum: several, minimum }: Alternative): string[] {
  if (one !== undefined) return [JSON.stringify(one)];
  if (several !== undefined) return several.map((value) => JSON.stringify(value));
  if (type === undefined) return format === undefined ? [] : [`a ${format}`];
  const types = [type].flat();
  const more = format !== undefined ? ` (${format})` : minimum !== undefined ? ` >= ${minimum}` : '';
  return types.map((name) => (name === 'null' ? name : name + more));
}
