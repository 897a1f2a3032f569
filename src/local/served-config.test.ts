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
  it('has that model for both families of APIs and keeps the rest', () => {
    expect(parse(withMockModel('# mine\nprojects: [{ name: x }]\nproviders: {}\n', 21018, '/home'))).toEqual({
      projects: [{ name: 'x' }],
      providers: {
        mock: { api: 'openai', base_url: 'http://127.0.0.1:21018/v1', responses: true, prices },
        'mock-anthropic': { api: 'anthropic', base_url: 'http://127.0.0.1:21018/v1', prices },
      },
    });
  });

  it('finds plugins and key files relative to the file that it was made from', () => {
    const text = `plugins: ["./mine.mjs", ../theirs.mjs, /else/where.mjs, a-package]
projects:
  - name: x
    api_keys: [{ name: app, key_file: keys/app }]
    endpoints: [{ name: e, plugins: [{ plugin: own, config: { key_file: its-own } }] }]
admin_keys: [{ name: root, key_file: /run/root }]
directory: { key_file: engines }
`;
    expect(parse(withMockModel(text, 21018, '/home/me/app'))).toMatchObject({
      plugins: ['/home/me/app/mine.mjs', '/home/me/theirs.mjs', '/else/where.mjs', 'a-package'],
      projects: [
        {
          api_keys: [{ key_file: '/home/me/app/keys/app' }],
          endpoints: [{ plugins: [{ config: { key_file: 'its-own' } }] }],
        },
      ],
      admin_keys: [{ key_file: '/run/root' }],
      directory: { key_file: '/home/me/app/engines' },
    });
  });

  it('keeps each line in its place, so that mistakes have the right line numbers', () => {
    const words = Array.from({ length: 40 }, (_, index) => `word-${index}`).join(', ');
    const text = `plugins: [${words}]\n\n# A comment.\nadmin_keys: [{ name: root, key: ${'k'.repeat(200)} }]`;
    const lines = (yaml: string) => yaml.split('\n').map((line) => line.replaceAll(' ', ''));
    expect(lines(withMockModel(text, 21018, '/home')).slice(0, 4)).toEqual(lines(text));
  });

  it('is unchanged once it names providers of its own', () => {
    const text = 'providers: { a: { api: openai, base_url: "http://a/v1" } }\n';
    expect(withMockModel(text, 21018, '/home')).toBe(text);
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

it('names the variable whose file cannot be read', () => {
  expect(() => readConfig('/no/such/file.yaml')).toThrow('SLUICE_CONFIG=/no/such/file.yaml cannot be read');
});
