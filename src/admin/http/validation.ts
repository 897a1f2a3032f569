import type { Ajv2020, ErrorObject, Options } from 'ajv/dist/2020.js';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { OWN_SCHEMAS } from '../../core/own-schemas.js';
import { addFormats, createAjv2020 } from '../../json-schema/load-ajv.js';
import { readMoment } from './moments.js';

/**
 * For a value with more parts than this only the first mistake is reported: one mistake in each of a million items
 * would block all requests.
 */
const MANY_VALUES = 1000;

/** Values in bodies are not converted: a number in quotes is a mistake. */
const bodies = validators({});
/** Parameters arrive as text and are converted to the type that the schema names. */
const parameters = validators({ coerceTypes: 'array' });

/**
 * Compiles a schema at the first call, because most routes of most processes are never called: all of them would take a
 * quarter of a second and 5 MiB. Ajv keeps what it compiled.
 */
export const compileValidator: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const { telling, quick } = httpPart === 'body' ? bodies : parameters;
  const validate = (data: unknown): boolean => {
    const check = (isLarge(data) ? quick : telling)().compile(schema);
    const fits = check(data);
    validate.errors = check.errors;
    return fits;
  };
  validate.errors = null as ErrorObject[] | null | undefined;
  return validate;
};

/** Makes the validators of usual calls, so that the first call does not hold other requests up while Ajv is loaded. */
export function prepareValidators(): void {
  bodies.telling();
  parameters.telling();
}

/** Two validators: one reports all mistakes, the other stops at the first. Each is made when it is first used. */
function validators(options: Options): { telling: () => Ajv2020; quick: () => Ajv2020 } {
  return {
    telling: once(() => createValidator({ ...options, allErrors: true })),
    quick: once(() => createValidator(options)),
  };
}

function createValidator(options: Options): Ajv2020 {
  const ajv = createAjv2020({
    ...OWN_SCHEMAS,
    useDefaults: true,
    ownProperties: true,
    strict: true,
    strictTypes: false,
    verbose: true,
    ...options,
  });
  addFormats(ajv);
  ajv.addFormat('date-time', (text: string) => readMoment(text) !== undefined);
  return ajv;
}

function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
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
