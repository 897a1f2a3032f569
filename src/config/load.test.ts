import { describe, expect, it } from 'vitest';
import { configOf, ENV, EXAMPLE, mistakesOf, parse, withEndpoint } from '../../test/support/parse-config.js';
import { atOnce } from '../core/pacing/steps.js';
import { findKeyFiles, type ParseOptions } from './load.js';

describe('a file without mistakes', () => {
  const config = configOf(EXAMPLE);

  it('gives providers by name, with the credential from the environment', () => {
    const local = config.providers.get('local');
    expect(local?.credential?.reveal()).toBe('local-secret');
    expect(local).toMatchObject({
      name: 'local',
      api: 'openai',
      headers: {},
      responses: false,
      prices: {},
      forward_headers: [],
    });
    expect(config.providers.get('claude')?.credential).toBeUndefined();
  });

  it('drops the slash at the end of a base URL', () => {
    expect(config.providers.get('local')?.base_url).toBe('http://127.0.0.1:9101/v1');
  });

  it('gives projects with their uid in lower case', () => {
    expect(config.projects.map(({ uid }) => uid)).toEqual(['00000000-0000-4000-8000-00000000000a']);
  });

  it('fills in every default of an endpoint', () => {
    expect(config.projects[0]?.endpoints[0]).toEqual({
      name: 'support',
      models: [
        { provider: 'local', model: 'large', structured_output: true, when: { tags_any: ['tier:pro'] } },
        { provider: 'local', model: 'small', structured_output: false, weight: 2 },
      ],
      json_validation: false,
      schema_in_prompt: false,
      unwrap_fences: false,
      explain_invalid: false,
      same_vectors: false,
      fallback_on: ['invalid_output', 'connect', 'timeout', 'rate_limited', 'server_error'],
      timeout_ms: 60_000,
      total_timeout_ms: 600_000,
      stream_idle_timeout_ms: 120_000,
      log_content: 'masked',
      plugins: [
        {
          plugin: 'pii_detection',
          phases: ['request'],
          config: { entities: ['PERSON'] },
          timeout_ms: 1000,
          isolate: false,
          mode: 'enforce',
          sample: 1,
        },
      ],
    });
  });

  it('fills in the other defaults', () => {
    expect(config.limits).toEqual({
      request_body_bytes: 33_554_432,
      response_body_bytes: 33_554_432,
      schema_bytes: 262_144,
      metadata_bytes: 65_536,
      body_values: 300_000,
      bodies_in_flight_bytes: 268_435_456,
      feedback_per_log: 10_000,
    });
    expect(config.spool).toEqual({ max_bytes: 1_073_741_824, sync_ms: 50, on_full: 'lose' });
    expect(config.engine).toEqual({ workers: 1 });
    expect(config.dashboard).toEqual({});
    expect(config.directory).toEqual({});
    expect(config.logs).toEqual({});
    expect(config.webhooks).toEqual({ allowed_urls: [] });
    expect(config.pluginModules).toEqual([]);
  });

  it('accepts very small limits, which people set to try them', () => {
    const text =
      'limits: { body_values: 20, schema_bytes: 1, metadata_bytes: 1 }\nspool: { max_bytes: 4096 }';
    const { limits, spool } = configOf(text);
    expect([limits.body_values, spool.max_bytes]).toEqual([20, 4_096]);
  });

  it('never prints a secret', () => {
    expect(JSON.stringify({ ...config, providers: [...config.providers] })).not.toMatch(/sk-demo|-secret/);
  });

  it('accepts the key of SLUICE_ADMIN_KEY without an entry for it, and once where there is one', () => {
    const env = { ...ENV, SLUICE_ADMIN_KEY: 'from-env' };
    expect(configOf(EXAMPLE, { env }).adminKeys.map(({ name }) => name)).toEqual([
      'root',
      'SLUICE_ADMIN_KEY',
    ]);
    const same = { ...ENV, SLUICE_ADMIN_KEY: 'root-secret' };
    expect(configOf(EXAMPLE, { env: same }).adminKeys.map(({ name }) => name)).toEqual(['root']);
  });

  it('finds plugin modules relative to the folder of the file', () => {
    const modules = configOf('plugins: [./guard.js, ../other.js, "@acme/guard"]', {
      file: '/etc/sluice/sluice.yaml',
    }).pluginModules;
    expect(modules).toEqual(['/etc/sluice/guard.js', '/etc/other.js', '@acme/guard']);
  });

  it('adds a slash to the bare origin of a webhook, so that it does not match other hosts', () => {
    const { webhooks } = configOf('webhooks: { allowed_urls: ["https://hooks.example.com"] }');
    expect(webhooks.allowed_urls).toEqual(['https://hooks.example.com/']);
  });

  it('can repeat values with anchors and aliases', () => {
    const text = withEndpoint(
      'fallback_on: &why [timeout]\n      - { name: b, models: [{ provider: local, model: m }], fallback_on: *why }',
    );
    expect(configOf(text).projects[0]?.endpoints.map(({ fallback_on }) => fallback_on)).toEqual([
      ['timeout'],
      ['timeout'],
    ]);
  });

  it('resolves an alias to the last anchor of its name before it', () => {
    const endpoint = (name: string, reasons: string) =>
      `{ name: ${name}, models: [{ provider: local, model: m }], fallback_on: ${reasons} }`;
    const text = withEndpoint(
      [
        'fallback_on: &why [timeout]',
        `- ${endpoint('b', '*why')}`,
        `- ${endpoint('c', '&why [rate_limited]')}`,
        `- ${endpoint('d', '*why')}`,
      ].join('\n      '),
    );
    expect(configOf(text).projects[0]?.endpoints.map(({ fallback_on }) => fallback_on)).toEqual([
      ['timeout'],
      ['timeout'],
      ['rate_limited'],
      ['rate_limited'],
    ]);
  });
});

describe('json_validation', () => {
  const filledIn = (written: string) =>
    configOf(withEndpoint(`json_validation: ${written}`)).projects[0]?.endpoints[0]?.json_validation;

  it.each([
    ['true', true],
    ['false', false],
    ['{}', { tools: 'forced', on_invalid: 'reject', include_invalid: false }],
    ['{ tools: all }', { tools: 'all', on_invalid: 'reject', include_invalid: false }],
    ['{ on_invalid: release }', { tools: 'forced', on_invalid: 'release', include_invalid: false }],
  ])('has its defaults filled in: %s', (written, filled) => {
    expect(filledIn(written)).toEqual(filled);
  });
});

describe('a chain of embedding models', () => {
  const chainOf = (first: string, second: string, more = '') =>
    mistakesOf(
      withEndpoint(more).replace(
        '[{ provider: local, model: m }]',
        `[{ provider: local, model: ${first} }, { provider: local, model: ${second} }]`,
      ),
    );

  it('is accepted where its models are the same, or declared to be', () => {
    expect(chainOf('text-embedding-3-small', 'text-embedding-3-small')).toEqual([]);
    expect(chainOf('text-embedding-3-small', 'embed-east', 'same_vectors: true')).toEqual([]);
    expect(chainOf('BAAI/bge-m3', 'gpt-4o')).toHaveLength(1);
    expect(chainOf('gpt-4o', 'age-3')).toEqual([]);
  });
});

describe('plugins of the file', () => {
  const text = withEndpoint('plugins: [{ plugin: guard, config: { words: [a, 1] } }]');

  it('name the place of a mistake that the plugin reports', () => {
    const checkPlugin: ParseOptions['checkPlugin'] = ({ plugin, config }) =>
      plugin === 'guard' && Array.isArray(config.words)
        ? [{ path: '/config/words/1', message: 'expected text' }]
        : [];
    expect(mistakesOf(text, { checkPlugin })).toEqual([
      'sluice.yaml:9:57 projects[0].endpoints[0].plugins[0].config.words[1]: expected text',
    ]);
  });

  it('are asked only about entries of the right form, with defaults filled in', () => {
    const seen: unknown[] = [];
    const checkPlugin: ParseOptions['checkPlugin'] = (entry) => {
      seen.push(entry);
      return [];
    };
    mistakesOf(text.replace('plugin: guard', 'plugin: 7'), { checkPlugin });
    expect(seen).toEqual([]);
    mistakesOf(text, { checkPlugin });
    expect(seen).toMatchObject([{ plugin: 'guard', timeout_ms: 1000, phases: [] }]);
  });

  it('report the module that could not be loaded', () => {
    const pluginFailures = new Map([['/etc/guard.js', 'no such module']]);
    expect(mistakesOf('plugins: [./guard.js]', { file: '/etc/sluice.yaml', pluginFailures })).toEqual([
      '/etc/sluice.yaml:1:11 plugins[0]: no such module',
    ]);
  });
});

describe('the file of a credential', () => {
  it('is read without the end of its line', () => {
    const text = 'providers: { p: { api: openai, base_url: "http://h/v1", api_key_file: keys/openai } }';
    const keyFiles = new Map([['/etc/sluice/keys/openai', { text: 'sk-from-file\n' }]]);
    const options = { file: '/etc/sluice/sluice.yaml', keyFiles };
    expect(configOf(text, options).providers.get('p')?.credential?.reveal()).toBe('sk-from-file');
  });

  it.each([
    ['that is not there', { failure: 'ENOENT' }, 'the file cannot be read: ENOENT'],
    ['that is empty', { text: '\n' }, 'the file is empty'],
    ['that holds two keys', { text: 'sk-one\nsk-two\n' }, /^the file does not hold /],
  ])('%s is a mistake, whose message shows nothing of the file', (_what, keyFile, expected) => {
    const text = 'providers: { p: { api: openai, base_url: "http://h/v1", api_key_file: sk-oops } }';
    const result = parse(text, { file: '/c/sluice.yaml', keyFiles: new Map([['/c/sk-oops', keyFile]]) });
    const [mistake] = 'mistakes' in result ? result.mistakes : [];
    expect(mistake?.path).toBe('providers.p.api_key_file');
    expect(mistake?.message).toEqual(expected instanceof RegExp ? expect.stringMatching(expected) : expected);
    expect(mistake?.message).not.toContain('sk-');
  });

  it('may be that of a client, an administrator or engines', () => {
    const text = `
admin_keys: [{ name: root, key_file: root }]
directory: { key_file: engines }
projects:
  - uid: 0198c2d4-0000-7000-8000-000000000001
    name: demo
    api_keys: [{ name: app, key_file: app, scopes: [inference] }]
    endpoints: []
`;
    const keyFiles = new Map(
      ['root', 'engines', 'app'].map((name) => [`/c/${name}`, { text: `sk-${name}\n` }]),
    );
    expect(atOnce(findKeyFiles(text, '/c/sluice.yaml')).sort()).toEqual([...keyFiles.keys()].sort());
    const { adminKeys, directory, projects } = configOf(text, { file: '/c/sluice.yaml', keyFiles });
    const secrets = [adminKeys[0]?.secret, directory.key, projects[0]?.keys[0]?.secret];
    expect(secrets.map((secret) => secret?.reveal())).toEqual(['sk-root', 'sk-engines', 'sk-app']);
  });

  it('reports the key of a client that is missing, equals another one, or stands beside a variable', () => {
    const text = `admin_keys: [{ name: root, key: sk-root }]
directory: { key_env: LOCAL_KEY, key_file: app }
projects:
  - uid: 0198c2d4-0000-7000-8000-000000000001
    name: demo
    api_keys:
      - { name: gone, key_file: gone, scopes: [inference] }
      - { name: app, key_file: app, scopes: [inference] }
    endpoints: []
`;
    const keyFiles = new Map([
      ['/c/gone', { failure: 'ENOENT' }],
      ['/c/app', { text: 'sk-root' }],
    ]);
    const result = parse(text, { file: '/c/sluice.yaml', keyFiles });
    expect('mistakes' in result && result.mistakes.map(({ path, message }) => `${path}: ${message}`)).toEqual(
      [
        'directory.key_file: expected `key`, `key_env` or `key_file`, found `key_env` and `key_file`',
        'projects[0].api_keys[0].key_file: the file cannot be read: ENOENT',
        'projects[0].api_keys[1].key_file: this key is also an admin key; expected another one',
      ],
    );
  });

  it('is refused together with a variable', () => {
    const text =
      'providers: { p: { api: openai, base_url: "http://h/v1", api_key_env: LOCAL_KEY, api_key_file: key } }';
    const result = parse(text, { file: '/c/sluice.yaml', keyFiles: new Map([['/c/key', { text: 'sk' }]]) });
    expect('mistakes' in result && result.mistakes.map(({ message }) => message)).toEqual([
      'expected `api_key_env` or `api_key_file`, found both',
    ]);
  });
});
