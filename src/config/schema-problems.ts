import type { ErrorObject } from 'ajv/dist/2020.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.js';
import { atOnce, type Steps } from '../core/pacing/steps.js';
import { didYouMean } from '../core/texts/did-you-mean.js';
import { describeType, describeValue, type SchemaNode } from './describe.js';
import { schemas } from './file-schemas.js';
import { type Path, type Problem, pathOfPointer } from './mistakes.js';
import { itemsOf } from './rules.js';
import { PATTERNS } from './schema-parts.js';

const ENDPOINTS_PER_STEP = 50;
/** What the schema requires of a project, around endpoints that are checked alone. */
const ANY_PROJECT = { uid: '00000000-0000-4000-8000-000000000000', name: 'any' };
const EXPECTED_BY_PATTERN = new Map<string, string>(
  Object.values(PATTERNS).map(({ pattern, expected }) => [pattern, expected]),
);

/** Fills in defaults, changing `value`, and reports everything that does not match the schema. */
export function checkAgainstSchema(value: unknown): Problem[] {
  return atOnce(checkAgainstSchemaInSteps(value));
}

/** Does the same. The endpoints are checked after all else and a few at a time, because a file can have a thousand of them. */
export function* checkAgainstSchemaInSteps(value: unknown): Steps<Problem[]> {
  const projects = isJsonObject(value) ? itemsOf(value.projects) : [];
  const taken: [index: number, project: JsonObject, endpoints: JsonValue[]][] = [];
  for (const [index, project] of projects) {
    if (!Array.isArray(project.endpoints)) continue;
    taken.push([index, project, project.endpoints]);
    project.endpoints = [];
  }
  const problems = problemsOf(value);
  for (const [, project, endpoints] of taken) project.endpoints = endpoints;
  for (const [index, , endpoints] of taken) {
    for (let first = 0; first < endpoints.length; first += ENDPOINTS_PER_STEP) {
      yield;
      const file = {
        projects: [{ ...ANY_PROJECT, endpoints: endpoints.slice(first, first + ENDPOINTS_PER_STEP) }],
      };
      for (const problem of problemsOf(file)) {
        const [, , , position, ...path] = problem.path;
        problems.push({
          ...problem,
          path: ['projects', index, 'endpoints', first + Number(position), ...path],
        });
      }
    }
  }
  return problems;
}

function problemsOf(value: unknown): Problem[] {
  const validate = schemas.validator('config');
  if (validate(value)) return [];
  return (validate.errors ?? []).filter(addsInformation).map((error) => toProblem(error, value));
}

/** ajv reports a wrong key or alternative a second time for the whole value; one report is enough. */
function addsInformation(error: ErrorObject): boolean {
  return error.keyword !== 'propertyNames' && !/\/anyOf\/\d+\//.test(error.schemaPath);
}

function toProblem(error: ErrorObject, root: unknown): Problem {
  const path = pathOfPointer(error.instancePath, root);
  const name = error.propertyName;
  if (name !== undefined) {
    return { path: [...path, name], atKey: true, message: `expected ${patternText(error)} as the key` };
  }
  if (error.keyword === 'additionalProperties') {
    const key = String(error.params.additionalProperty);
    return { path: [...path, key], atKey: true, message: unknownKey(key, error.parentSchema as SchemaNode) };
  }
  if (error.keyword === 'required') {
    const key = String(error.params.missingProperty);
    const schema = (error.parentSchema as SchemaNode).properties?.[key] ?? {};
    return { path: [...path, key], message: `missing; expected ${describeType(schema)}` };
  }
  return { path, message: messageFor(error, path) };
}

function unknownKey(key: string, parent: SchemaNode): string {
  const known = Object.keys(parent.properties ?? {});
  const hint = didYouMean(key, known);
  return `unknown key${hint === '' ? `; expected one of ${known.join(', ')}` : hint}`;
}

/** Names of settings that contain a key or say where it is: `key`, `key_env`, `api_key_file`, `hmac_key_env`. */
const ABOUT_A_KEY = /(^|_)key(_env|_file)?$/;

/** Whether a value must not be printed: keys, and what people wrote by mistake in place of the name of a variable. */
function isConfidential(path: Path): boolean {
  return ABOUT_A_KEY.test(String(path.at(-1))) || path.includes('headers');
}

function messageFor(error: ErrorObject, path: Path): string {
  const schema = error.parentSchema as SchemaNode;
  const found = isConfidential(path) ? '' : `, found ${describeValue(error.data)}`;
  switch (error.keyword) {
    case 'type':
      return `expected ${describeType(schema)}${found}${quoteHint(schema, error.data)}`;
    case 'enum':
      if (typeof error.data !== 'string') return `expected ${describeType(schema)}${found}`;
      return `expected ${describeType(schema)}${found}${didYouMean(error.data, schema.enum ?? [])}`;
    case 'anyOf':
      return `expected ${describeType(schema)}${found}`;
    case 'pattern':
      return `expected ${patternText(error)}${found}`;
    case 'minimum':
      return `expected at least ${error.params.limit}${found}`;
    case 'exclusiveMinimum':
      return `expected more than ${error.params.limit}${found}`;
    case 'maximum':
      return `expected at most ${error.params.limit}${found}`;
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return 'must not be empty';
    case 'maxLength':
      return `expected at most ${error.params.limit} characters`;
    case 'uniqueItems':
      return `the items ${error.params.j} and ${error.params.i} are the same`;
    default:
      // Our schemas use no other keyword that can fail.
      return `does not fit the schema (${error.keyword})`;
  }
}

function patternText(error: ErrorObject): string {
  return EXPECTED_BY_PATTERN.get(String(error.params.pattern)) ?? `text that fits ${error.params.pattern}`;
}

function quoteHint(schema: SchemaNode, value: unknown): string {
  const isBare = typeof value === 'number' || typeof value === 'boolean';
  return schema.type === 'string' && isBare ? '; write it in quotes' : '';
}
