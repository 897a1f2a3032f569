import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import type { TSchema } from 'typebox';
import type { ErrorDetail } from '../core/errors.js';

// The module is CommonJS: its function is the default of its default.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

const common = {
  allErrors: true,
  useDefaults: true,
  ownProperties: true,
  strict: true,
  strictTypes: false,
} as const;
/** Bodies are taken as they are: a number in quotes is a mistake. */
const bodyAjv = new Ajv2020(common);
/** All parameters come as text: they are read as the type that the schema names. */
const parameterAjv = new Ajv2020({ ...common, coerceTypes: 'array' });
addFormats(bodyAjv);
addFormats(parameterAjv);

export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) =>
  (httpPart === 'body' ? bodyAjv : parameterAjv).compile(schema);

/** What was wrong, by the name of the field, once for each; members of objects behind dots. */
export function detailsOf(errors: readonly FastifySchemaValidationError[], part = 'body'): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  for (const error of (errors as readonly ErrorObject[]).filter(tellsSomething)) {
    const path = pathOf(error) || part;
    if (!details.has(path)) details.set(path, { path, message: messageOf(error) });
  }
  return [...details.values()];
}

/** An alternative that does not fit is told once, by the whole, and not by each of its branches too. */
function tellsSomething(error: ErrorObject): boolean {
  return !/\/anyOf\/\d+\//.test(error.schemaPath) && error.keyword !== 'if';
}

function pathOf(error: ErrorObject): string {
  const place = error.instancePath.split('/').slice(1).map(unescapePointer);
  const { missingProperty, additionalProperty } = error.params as Record<string, string | undefined>;
  const member = missingProperty ?? additionalProperty;
  return [...place, ...(member === undefined ? [] : [member])].join('.');
}

function unescapePointer(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
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
      return 'has none of the forms that it may have';
    case 'pattern':
      return `does not have its form: ${(parentSchema as { description?: string } | undefined)?.description}`;
    case 'minProperties':
      return 'must not be empty';
    default:
      return error.message ?? 'is not valid';
  }
}
