import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { demoPath, namesProvider, readConfig, withMockModel } from './served-config.js';
import { DEMO_KEY, DEMO_PROJECT } from './tour.js';

describe('whether a configuration names a provider', () => {
  it.each([
    ['one provider', 'providers:\n  a: { api: openai, base_url: "http://a/v1" }\n', true],
    ['no section', 'projects: []\n', false],
    ['an empty section', 'providers: {}\nprojects: []\n', false],
    ['a section without content', 'providers:\nprojects: []\n', false],
    ['a text that is no YAML, which the engine tells', 'providers: [\n', true],
    ['an empty file, which the engine tells', '', true],
  ])('%s', (_, text, expected) => {
    expect(namesProvider(text)).toBe(expected);
  });
});

const prices = { small: expect.any(Object), large: expect.any(Object) };

describe('a configuration with the mock model', () => {
  it('has it for both families of APIs and keeps the rest', () => {
    expect(parse(withMockModel('# mine\nprojects: [{ name: x }]\nproviders: {}\n', 21018))).toEqual({
      projects: [{ name: 'x' }],
      providers: {
        mock: { api: 'openai', base_url: 'http://127.0.0.1:21018/v1', responses: true, prices },
        'mock-anthropic': { api: 'anthropic', base_url: 'http://127.0.0.1:21018/v1', prices },
      },
    });
  });

  it('is left as it is once it names providers of its own', () => {
    const text = 'providers: { a: { api: openai, base_url: "http://a/v1" } }\n';
    expect(withMockModel(text, 21018)).toBe(text);
  });
});

describe('the demo', () => {
  it('names no provider, and has the project and the key of the tour', () => {
    const text = readConfig(demoPath);
    expect(namesProvider(text)).toBe(false);
    const [project] = parse(text).projects;
    expect(project.uid).toBe(DEMO_PROJECT);
    expect(project.api_keys[0]).toMatchObject({ key: DEMO_KEY, scopes: ['inference', 'feedback', 'logs'] });
  });
});

it('says which variable names a file that cannot be read', () => {
  expect(() => readConfig('/no/such/file.yaml')).toThrow('SLUICE_CONFIG=/no/such/file.yaml cannot be read');
});
