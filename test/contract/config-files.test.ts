import { readdir, readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { parseConfig } from '../../src/config/load.js';
import { renderChartSchema, renderReference, renderSchemaFile } from '../../src/config/reference.js';
import { renderErrorReference } from '../../src/core/errors.js';

const root = new URL('../../', import.meta.url);
const pathOf = (name: string) => new URL(name, root).pathname;
const read = (name: string) => readFile(pathOf(name), 'utf8');

const TABLES = /(<!-- keys: begin -->\n)[\s\S]*(\n<!-- keys: end -->)/;

/* `npx vitest run test/contract/config-files -u` writes the generated files anew. */
describe('what is generated from the tables of the source is up to date', () => {
  it('the schema for editors', async () => {
    await expect(renderSchemaFile()).toMatchFileSnapshot(pathOf('sluice.schema.json'));
  });

  it('the schema of the chart, which has that of sluice.yaml in it', async () => {
    const name = 'deploy/helm/sluice/values.schema.json';
    await expect(renderChartSchema(await read(name))).toMatchFileSnapshot(pathOf(name));
  });

  it('the page of errors', async () => {
    await expect(renderErrorReference()).toMatchFileSnapshot(pathOf('docs/errors.md'));
  });

  it('the tables of keys', async () => {
    const page = (await read('docs/configuration.md')).replace(
      TABLES,
      (_all, begin: string, end: string) => `${begin}\n${renderReference()}\n${end}`,
    );
    await expect(page).toMatchFileSnapshot(pathOf('docs/configuration.md'));
  });
});

describe('the example', () => {
  const name = 'deploy/sluice.example.yaml';
  const env = { OPENAI_API_KEY: 'a', ANTHROPIC_API_KEY: 'b', SLUICE_ADMIN_KEY: 'c', SUPPORT_KEY: 'd' };

  it('is a configuration without mistakes', async () => {
    expect(parseConfig(await read(name), { file: name, env })).toHaveProperty('config');
  });

  it('fits the schema for editors, which it names in its first line', async () => {
    const text = await read(name);
    expect(text.split('\n')[0]).toBe('# yaml-language-server: $schema=../sluice.schema.json');
    const validate = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(
      JSON.parse(await read('sluice.schema.json')),
    );
    expect(validate(parse(text)), JSON.stringify(validate.errors)).toBe(true);
  });
});

describe('a piece of sluice.yaml in the documentation', async () => {
  type Piece = Record<string, unknown>;
  const MODEL = { input_per_mtok: 1, output_per_mtok: 1 };
  const provider = { api: 'openai', base_url: 'http://127.0.0.1:1/v1', prices: { m: MODEL } };
  const endpoint = { name: 'support', models: [{ provider: 'a', model: 'm' }] };
  const project = {
    uid: '00000000-0000-4000-8000-000000000001',
    name: 'shop',
    api_keys: [{ name: 'backend', key: 'sk-backend', scopes: ['inference'] }],
  };
  const schema = parse(await read('sluice.schema.json'));
  const isOf = (piece: Piece, level: { properties: object }) =>
    Object.keys(piece).every((key) => key in level.properties);
  const projectSchema = schema.properties.projects.items;
  const endpointSchema = projectSchema.properties.endpoints.items;

  const withEndpoints = (given: Piece) => ({
    ...project,
    ...given,
    endpoints: ((given.endpoints as Piece[] | undefined) ?? [{}]).map((one) => ({ ...endpoint, ...one })),
  });

  /** The piece in a file around it; undefined where it is no piece of sluice.yaml. */
  function fileOf(piece: Piece | Piece[] | null): Piece | undefined {
    if (piece === null) return undefined;
    const rest = { providers: { a: provider, b: provider } };
    if (Array.isArray(piece)) {
      if (!piece.every((one) => 'plugin' in one)) return undefined;
      return { ...rest, projects: [withEndpoints({ endpoints: [{ plugins: piece }] })] };
    }
    if (isOf(piece, schema)) {
      const projects = (piece.projects as Piece[] | undefined) ?? [{}];
      const providers = { ...rest.providers, ...(piece.providers as object | undefined) };
      return { ...piece, providers, projects: projects.map(withEndpoints) };
    }
    if (isOf(piece, projectSchema)) return { ...rest, projects: [withEndpoints(piece)] };
    if (isOf(piece, endpointSchema)) return { ...rest, projects: [withEndpoints({ endpoints: [piece] })] };
    return undefined;
  }

  const pages = [
    'README.md',
    ...(await readdir(pathOf('docs'))).filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`),
  ];
  const pieces: [string, Piece][] = [];
  for (const page of pages) {
    const text = await read(page);
    for (const [all, indent = '', yaml = ''] of text.matchAll(/^( *)```yaml\n([\s\S]*?)^ *```/gm)) {
      const file = fileOf(parse(yaml.replaceAll(new RegExp(`^${indent}`, 'gm'), '')));
      if (file !== undefined)
        pieces.push([`${page}:${text.slice(0, text.indexOf(all)).split('\n').length}`, file]);
    }
  }

  it('is found at all', () => expect(pieces.length).toBeGreaterThan(10));

  it.each(pieces)('at %s has no mistake', (place, file) => {
    const text = stringify(file);
    const names = [...text.matchAll(/_env: "?(\w+)/g)].map(([, name]) => [name, 'x'.repeat(32)]);
    const env = Object.fromEntries([...names, ['SLUICE_ADMIN_KEY', 'y'.repeat(32)]]);
    expect(parseConfig(text, { file: place, env }), text).toHaveProperty('config');
  });
});
