import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import type { FastifySchemaValidationError } from 'fastify/types/schema.js';
import type { TSchema } from 'typebox';
import type { ErrorDetail } from '../../core/errors.js';
import { keyOfToken } from '../../core/json.js';
import { heavyWork } from '../../core/load/heavy-work.js';
import { OWN_SCHEMAS } from '../../core/own-schemas.js';
import { readMoment } from '../moments.js';

// The module is CommonJS: its function is the default of its default.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

/** Of a larger value only the first mistake is told: a mistake in each of a million items would stall all requests. */
const MANY_VALUES = 1000;

/** Bodies are taken as they are: a number in quotes is a mistake. */
const bodies = createValidators({});
/** All parameters come as text: they are read as the type that the schema names. */
const parameters = createValidators({ coerceTypes: 'array' });

/** The start of a process has better things to do. */
const COMPILED_AFTER_MS = 10_000;

/** Compiles with the first call, since most routes of most processes have none; Ajv keeps what it compiled. */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const { telling, quick } = httpPart === 'body' ? bodies : parameters;
  const validate = (data: unknown): boolean => {
    const check = (isLarge(data) ? quick : telling).compile(schema);
    const fits = check(data);
    validate.errors = check.errors;
    return fits;
  };
  validate.errors = null as ErrorObject[] | null | undefined;
  return validate;
};

/**
 * Checks what calls bring by the schemas of the server's routes. Some time after it has begun to listen all are compiled:
 * some take 15 ms, in which the engine of this process does nothing else, and no call has to wait for that.
 */
export function checkCalls(server: FastifyInstance, afterMs = COMPILED_AFTER_MS): void {
  const left: (() => void)[] = [];
  server.setValidatorCompiler((route: Parameters<typeof compileValidator>[0]) => {
    const { telling } = route.httpPart === 'body' ? bodies : parameters;
    left.push(() => telling.compile(route.schema));
    return compileValidator(route);
  });
  let timer: NodeJS.Timeout | undefined;
  server.addHook('onListen', async () => {
    timer = setTimeout(() => void compileAll(left), afterMs).unref();
  });
  server.addHook('onClose', async () => {
    clearTimeout(timer);
    left.length = 0;
  });
}

/** One after the other, with rests for whatever else there is to do. */
async function compileAll(left: (() => void)[]): Promise<void> {
  for (let work = left.pop(); work !== undefined; work = left.pop()) {
    await heavyWork.next();
    work();
  }
}

/** One that tells all mistakes, and one that ends with the first. */
function createValidators(options: Options): { telling: Ajv2020; quick: Ajv2020 } {
  const common: Options = {
    ...OWN_SCHEMAS,
    useDefaults: true,
    ownProperties: true,
    strict: true,
    strictTypes: false,
    verbose: true,
  };
  const telling = new Ajv2020({ ...common, ...options, allErrors: true });
  const quick = new Ajv2020({ ...common, ...options });
  for (const ajv of [telling, quick]) {
    addFormats(ajv);
    ajv.addFormat('date-time', (text: string) => readMoment(text) !== undefined);
  }
  return { telling, quick };
}

function isLarge(data: unknown): boolean {
  let room = MANY_VALUES;
  const waiting = [data];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const members = Object.values(value);
    room -= members.length;
    if (room < 0) return true;
    waiting.push(...members);
  }
  return false;
}

/** What was wrong, by the name of the field, once for each; members of objects behind dots. */
export function detailsOf(errors: readonly FastifySchemaValidationError[], part = 'body'): ErrorDetail[] {
  const details = new Map<string, ErrorDetail>();
  for (const error of (errors as readonly ErrorObject[]).filter(tellsSomething)) {
    const path = pathOf(error, part) || part;
    if (!details.has(path)) details.set(path, { path, message: messageOf(error) });
  }
  return [...details.values()];
}

/** An alternative that does not fit is told once, by the whole, and not by each of its branches too. */
function tellsSomething(error: ErrorObject): boolean {
  return !/\/(anyOf|oneOf)\/\d+\//.test(error.schemaPath) && error.keyword !== 'if';
}

function pathOf(error: ErrorObject, part: string): string {
  const places = error.instancePath.split('/').slice(1).map(keyOfToken);
  // Of a parameter that is given once or more often its name is the place.
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
      return `does not have its form: ${(parentSchema as { description?: string } | undefined)?.description}`;
    case 'minProperties':
      return 'must not be empty';
    default:
      // Of the other keywords the validator's own words are plain enough.
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

/** What a value with several forms may be, from the schemas of these. */
function messageOfAlternatives(schema: unknown, keyword: 'anyOf' | 'oneOf'): string {
  const alternatives = Array.isArray(schema) ? (schema as Alternative[]) : [];
  const members = alternatives.flatMap(({ required, type }) => (type === undefined ? (required ?? []) : []));
  if (members.length > 0)
    return `must have ${keyword === 'oneOf' ? 'exactly ' : ''}one of ${members.join(', ')}`;
  const forms = [...new Set(alternatives.flatMap(formsOf))];
  return forms.length > 0 ? `must be ${forms.join(' or ')}` : 'has none of the forms that it may have';
}

function formsOf({ type, format, const: one, enum: several, minimum }: Alternative): string[] {
  if (one !== undefined) return [JSON.stringify(one)];
  if (several !== undefined) return several.map((value) => JSON.stringify(value));
  if (type === undefined) return format === undefined ? [] : [`a ${format}`];
  const types = [type].flat();
  const more = format !== undefined ? ` (${format})` : minimum !== undefined ? ` >= ${minimum}` : '';
  return types.map((name) => (name === 'null' ? name : name + more));
}
