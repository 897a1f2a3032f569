import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Static } from 'typebox';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { Endpoint, Limits, Provider, SpoolSettings } from '../core/settings.js';
import { configSchema, type endpointSchema } from './schema.js';
import { checkAgainstSchema } from './schema-problems.js';

type FilledFile = Static<typeof configSchema>;
type FilledProvider = FilledFile['providers'][string];

describe('the schema of sluice.yaml', () => {
  it('describes the settings of the core, key by key', () => {
    expectTypeOf<Static<typeof endpointSchema>>().toEqualTypeOf<Endpoint>();
    expectTypeOf<FilledFile['limits']>().toEqualTypeOf<Limits>();
    expectTypeOf<FilledFile['spool']>().toEqualTypeOf<SpoolSettings>();
    expectTypeOf<Omit<FilledProvider, 'api_key_env' | 'api_key_file' | 'models'>>().toEqualTypeOf<
      Omit<Provider, 'name' | 'credential'>
    >();
  });

  it('is a JSON Schema, which is not loaded when the engine starts', () => {
    expect(new Ajv2020({ strict: false }).validateSchema(configSchema)).toBe(true);
  });

  it('requires no key at the top level', () => {
    expect(checkAgainstSchema({})).toEqual([]);
  });

  it('gives each file its own copy of the defaults', () => {
    const [first, second] = [{}, {}] as [Partial<FilledFile>, Partial<FilledFile>];
    checkAgainstSchema(first);
    checkAgainstSchema(second);
    expect(first.projects).toEqual([]);
    expect(first.projects).not.toBe(second.projects);
    expect(first.limits).not.toBe(second.limits);
  });

  it('describes every key', () => {
    const undescribed = (schema: object, path: string): string[] =>
      Object.entries(schema).flatMap(([key, value]) => {
        if (typeof value !== 'object' || value === null) return [];
        const inside = undescribed(value, `${path}/${key}`);
        const isKey = path.endsWith('/properties');
        return isKey && !('description' in value) ? [`${path}/${key}`, ...inside] : inside;
      });
    expect(undescribed(configSchema, '')).toEqual([]);
  });
});
