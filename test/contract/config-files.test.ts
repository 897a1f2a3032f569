import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
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
