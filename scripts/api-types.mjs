import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './steps.mjs';

/*
 * Writes the admin API's description as TypeScript types: `Schemas` by name, and `Api` with a member for each route.
 * The dashboard calls the API through these types, so a changed route breaks its build.
 */
export const apiDescription = 'test/fixtures/openapi.json';
const target = join(root, 'dashboard/generated/api.ts');

/** Writes the types, unless the file has them already. */
export function generateApiTypes() {
  const text = apiTypes(JSON.parse(readFileSync(join(root, apiDescription), 'utf8')));
  try {
    if (readFileSync(target, 'utf8') === text) return;
  } catch {
    // The file does not exist yet.
  }
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text);
}

function apiTypes({ paths, components }) {
  const schemas = Object.entries(components.schemas).map(([name, schema]) => `  ${name}: ${typeOf(schema)};`);
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, route]) => `  '${method.toUpperCase()} ${path}': ${routeType(route)};`,
    ),
  );
  return [
    `// Made from ${apiDescription} by scripts/api-types.mjs.`,
    `export interface Schemas {\n${schemas.join('\n')}\n}`,
    `export interface Api {\n${routes.join('\n')}\n}`,
    '',
  ].join('\n');
}

function routeType({ parameters = [], requestBody, responses }) {
  const of = (place) => {
    const found = parameters.filter((parameter) => parameter.in === place);
    const members = found.map(
      ({ name, required, schema }) => `${JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)}`,
    );
    return `{ ${members.join('; ')} }`;
  };
  const body = requestBody?.content?.['application/json']?.schema;
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const answers = good.map(([, { content }]) => {
    if (content === undefined) return 'null';
    return content['application/json'] ? typeOf(content['application/json'].schema) : 'string';
  });
  return `{ params: ${of('path')}; query: ${of('query')}; body: ${body ? typeOf(body) : 'undefined'}; answer: ${union(answers)} }`;
}

/** A JSON Schema as a type. What it cannot say, such as a range, is left out. */
function typeOf(schema) {
  if (schema.$ref) return `Schemas['${schema.$ref.split('/').at(-1)}']`;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices?.some((choice) => choice.type || choice.$ref || choice.enum)) return union(choices.map(typeOf));
  if (Array.isArray(schema.type)) return union(schema.type.map((type) => typeOf({ ...schema, type })));
  switch (schema.type) {
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return `(${schema.items ? typeOf(schema.items) : 'unknown'})[]`;
    case 'object':
      return objectType(schema);
    default:
      return 'unknown';
  }
}

function objectType({ properties, required = [], additionalProperties }) {
  if (properties === undefined) {
    return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown'}>`;
  }
  const members = Object.entries(properties).map(
    ([name, schema]) => `${JSON.stringify(name)}${required.includes(name) ? '' : '?'}: ${typeOf(schema)}`,
  );
  return `{ ${members.join('; ')} }`;
}

function union(types) {
  const distinct = [...new Set(types)];
  return distinct.length === 0 ? 'null' : distinct.join(' | ');
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) generateApiTypes();
