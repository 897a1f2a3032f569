import { Ajv2020, type ErrorObject, type Options } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { OWN_SCHEMAS } from '../../core/own-schemas.js';
import { heavyWork } from '../../core/pacing/heavy-work.js';
import { readMoment } from './moments.js';

// The module is CommonJS, so its function is `default.default`.
const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default;

/**
 * For a value with more parts than this only the first mistake is reported: one mistake in each of a million items
 * would block all requests.
 */
const MANY_VALUES = 1000;

/** Values in bodies are not converted: a number in quotes is a mistake. */
const bodies = createValidators({});
/** Parameters arrive as text and are converted to the type that the schema names. */
const parameters = createValidators({ coerceTypes: 'array' });

/** Compiling can wait until the process has started. */
const COMPILED_AFTER_MS = 10_000;

/**
 * Compiles a schema at the first call, because most routes of most processes are never called. Ajv keeps what it
 * compiled.
 */
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
 * Validates calls against the schemas of the routes. Shortly after the server listens, all schemas are compiled. Some
 * take 15 ms, during which an engine in this process does nothing else, and no call should have to wait for that.
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

/** Compiles one after the other, with pauses for other work. */
async function compileAll(left: (() => void)[]): Promise<void> {
  for (let work = left.pop(); work !== undefined; work = left.pop()) {
    await heavyWork.next();
    work();
  }
}

/** Two validators: one reports all mistakes, the other stops at the first. */
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
