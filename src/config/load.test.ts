import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Config } from './config.js';
import { findKeyFiles, type ParseOptions, parseConfig } from './load.js';
import { renderMistake, renderMistakes } from './mistakes.js';

const ENV = { LOCAL_KEY: 'local-secret', SLUICE_ROOT: 'root-secret' };

const EXAMPLE = `
providers:
  local:  { api: openai, base_url: "http://127.0.0.1:9101/v1/", api_key_env: LOCAL_KEY }
  claude: { api: anthropic, base_url: "https://api.anthropic.com/v1" }
projects:
  - uid: 00000000-0000-4000-8000-00000000000A
    name: demo
    api_keys: [{ name: demo, key: sk-demo, scopes: [inference, feedback, logs] }]
    endpoints:
      - name: support
        models:
          - { provider: local, model: large, structured_output: true, when: { tags_any: ["tier:pro"] } }
          - { provider: local, model: small, weight: 2 }
        plugins:
          - { plugin: pii_detection, phases: [request], config: { entities: [PERSON] } }
admin_keys: [{ name: root, key_env: SLUICE_ROOT }]
`;

function parse(text: string, options: Partial<ParseOptions> = {}) {
  return parseConfig(text, { file: 'sluice.yaml', env: ENV, ...options });
}

function configOf(text: string, options?: Partial<ParseOptions>): Config {
  const result = parse(text, options);
  if ('mistakes' in result) throw new Error(renderMistakes(result.mistakes));
  return result.config;
}

function mistakesOf(text: string, options?: Partial<ParseOptions>): string[] {
  const result = parse(text, options);
  return 'mistakes' in result ? result.mistakes.map(renderMistake) : [];
}

/** A file that is whole but for one endpoint, whose lines are given; they begin in line 9. */
const withEndpoint = (lines: string) => `providers:
  local: { api: openai, base_url: "http://127.0.0.1:9101/v1" }
projects:
  - uid: 00000000-0000-4000-8000-000000000001
    name: demo
    endpoints:
      - name: a
        models: [{ provider: local, model: m }]
        ${lines}
`;

const withProvider = (fields: string) => `providers:
  local: { ${fields} }
`;

describe('a chain of embedding models', () => {
  const chainOf = (first: string, second: string, more = '') =>
    mistakesOf(
      withEndpoint(more).replace(
        '[{ provider: local, model: m }]',
        `[{ provider: local, model: ${first} }, { provider: local, model: ${second} }]`,
      ),
    );

  it('is taken where its models are one, or said to be', () => {
    expect(chainOf('text-embedding-3-small', 'text-embedding-3-small')).toEqual([]);
    expect(chainOf('text-embedding-3-small', 'embed-east', 'same_vectors: true')).toEqual([]);
    expect(chainOf('BAAI/bge-m3', 'gpt-4o')).toHaveLength(1);
    expect(chainOf('gpt-4o', 'age-3')).toEqual([]);
  });
});

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

  it('leaves off the slash at the end of a base URL', () => {
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

  it('fills in the defaults of the rest', () => {
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

  it('never prints a secret', () => {
    expect(JSON.stringify({ ...config, providers: [...config.providers] })).not.toMatch(/sk-demo|-secret/);
  });

  it('takes the key of SLUICE_ADMIN_KEY without a line for it, and once with one', () => {
    const env = { ...ENV, SLUICE_ADMIN_KEY: 'from-env' };
    expect(configOf(EXAMPLE, { env }).adminKeys.map(({ name }) => name)).toEqual([
      'root',
      'SLUICE_ADMIN_KEY',
    ]);
    const same = { ...ENV, SLUICE_ADMIN_KEY: 'root-secret' };
    expect(configOf(EXAMPLE, { env: same }).adminKeys.map(({ name }) => name)).toEqual(['root']);
  });

  it('looks up plugin modules from the folder of the file', () => {
    const modules = configOf('plugins: [./guard.js, ../other.js, "@acme/guard"]', {
      file: '/etc/sluice/sluice.yaml',
    }).pluginModules;
    expect(modules).toEqual(['/etc/sluice/guard.js', '/etc/other.js', '@acme/guard']);
  });

  it('ends a bare origin of a webhook in a slash, so that it is no prefix of another host', () => {
    const { webhooks } = configOf('webhooks: { allowed_urls: ["https://hooks.example.com"] }');
    expect(webhooks.allowed_urls).toEqual(['https://hooks.example.com/']);
  });

  it('can repeat values by anchor and alias', () => {
    const text = withEndpoint(
      'fallback_on: &why [timeout]\n      - { name: b, models: [{ provider: local, model: m }], fallback_on: *why }',
    );
    expect(configOf(text).projects[0]?.endpoints.map(({ fallback_on }) => fallback_on)).toEqual([
      ['timeout'],
      ['timeout'],
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
  ])('%s is filled in', (written, filled) => {
    expect(filledIn(written)).toEqual(filled);
  });
});

describe('a mistake is told with line, column, key and what was expected', () => {
  const cases: [name: string, text: string, expected: string[]][] = [
    ['an empty file', '# nothing\n', ['1:1 the file is empty']],
    ['a file that is no map', '- 1\n', ['1:1 expected a map, found a list']],
    [
      'an unknown key near a known one',
      withEndpoint('json_validaton: true'),
      ['9:9 projects[0].endpoints[0].json_validaton: unknown key; did you mean "json_validation"?'],
    ],
    [
      'json_validation that is neither a flag nor a map',
      withEndpoint('json_validation: sometimes'),
      ['9:26 projects[0].endpoints[0].json_validation: expected true or false or a map, found "sometimes"'],
    ],
    [
      'a word that json_validation does not know',
      withEndpoint('json_validation: { tools: some }'),
      [
        '9:35 projects[0].endpoints[0].json_validation.tools: expected one of forced, all, none, found "some"',
      ],
    ],
    [
      'an unknown key near none',
      'engine: { zzz: 1 }\n',
      ['1:11 engine.zzz: unknown key; expected one of workers'],
    ],
    [
      'a wrong type',
      withEndpoint('timeout_ms: soon'),
      ['9:21 projects[0].endpoints[0].timeout_ms: expected a whole number, found "soon"'],
    ],
    [
      'a number that should be text',
      withEndpoint('').replace('name: a', 'name: 12'),
      ['7:15 projects[0].endpoints[0].name: expected text, found 12; write it in quotes'],
    ],
    ['a key without a value', 'providers:\n', ['1:11 providers: expected a map, found nothing']],
    ['a missing key', withProvider('api: openai'), ['2:10 providers.local.base_url: missing; expected text']],
    [
      'an unknown word',
      withProvider('api: opnai, base_url: "http://h/v1"'),
      [
        '2:17 providers.local.api: expected one of openai, anthropic, azure_openai, gemini, found "opnai"; did you mean "openai"?',
      ],
    ],
    [
      'a list item',
      withEndpoint('fallback_on: [timeout, conect]'),
      [
        '9:32 projects[0].endpoints[0].fallback_on[1]: expected one of invalid_output, connect, timeout, rate_limited, server_error, found "conect"; did you mean "connect"?',
      ],
    ],
    [
      'a provider that is not there',
      withEndpoint('').replace('provider: local', 'provider: lokal'),
      ['8:30 projects[0].endpoints[0].models[0].provider: no provider "lokal"; did you mean "local"?'],
    ],
    [
      'an environment variable that is not set',
      withProvider('api: openai, base_url: "http://h/v1", api_key_env: MISSING'),
      ['2:63 providers.local.api_key_env: the environment variable MISSING is not set'],
    ],
    [
      'the same key of YAML twice',
      'engine: { workers: 1 }\nengine: { workers: 2 }\n',
      ['2:1 engine: this key stands twice'],
    ],
    [
      'the same provider twice',
      'providers:\n  a: { api: openai, base_url: "http://h" }\n  a: { api: openai, base_url: "http://h" }\n',
      ['3:3 providers.a: this key stands twice'],
    ],
    [
      'the same endpoint twice',
      withEndpoint('\n      - { name: a, models: [{ provider: local, model: m }] }'),
      ['10:17 projects[0].endpoints[1].name: the same name as endpoints[0]'],
    ],
    [
      'the same project twice, in another case',
      'projects:\n  - { uid: 00000000-0000-4000-8000-00000000000a, name: a }\n  - { uid: 00000000-0000-4000-8000-00000000000A, name: b }\n',
      ['3:12 projects[1].uid: the same uid as projects[0]'],
    ],
    [
      'the same key text twice',
      'admin_keys:\n  - { name: a, key: secret-1 }\n  - { name: b, key: secret-1 }\n',
      ['3:21 admin_keys[1].key: the same key as admin_keys[0]'],
    ],
    [
      'a uid that is no UUID',
      'projects: [{ uid: demo, name: a }]\n',
      ['1:19 projects[0].uid: expected a UUID such as 00000000-0000-4000-8000-000000000001, found "demo"'],
    ],
    [
      'a key without text',
      'admin_keys: [{ name: a }]\n',
      ['1:14 admin_keys[0].key: missing; expected `key`, `key_env` or `key_file`'],
    ],
    [
      'a key with two texts',
      'admin_keys: [{ name: a, key: b, key_env: SLUICE_ROOT }]\n',
      ['1:42 admin_keys[0].key_env: expected `key`, `key_env` or `key_file`, found `key` and `key_env`'],
    ],
    [
      'a weight of zero',
      withEndpoint('').replace('model: m', 'model: m, weight: 0'),
      ['8:55 projects[0].endpoints[0].models[0].weight: expected more than 0, found 0'],
    ],
    [
      'an empty `when`',
      withEndpoint('').replace('model: m', 'model: m, when: {}'),
      ['8:53 projects[0].endpoints[0].models[0].when: must not be empty'],
    ],
    [
      'a chain without models',
      withEndpoint('').replace('[{ provider: local, model: m }]', '[]'),
      ['8:17 projects[0].endpoints[0].models: must not be empty'],
    ],
    [
      'a try that may take longer than all tries',
      withEndpoint('timeout_ms: 700000'),
      [
        '9:21 projects[0].endpoints[0].timeout_ms: one try may take longer (700000) than all tries together (total_timeout_ms: 600000)',
      ],
    ],
    [
      'an embedding model that falls back to another',
      withEndpoint('').replace(
        '[{ provider: local, model: m }]',
        '[{ provider: local, model: text-embedding-3-small }, { provider: local, model: m }]',
      ),
      [
        '8:96 projects[0].endpoints[0].models[1].model: its vectors do not mix with those of "text-embedding-3-small"; expected one model, or `same_vectors: true` where they are the same by another name',
      ],
    ],
    [
      'a provider name that cannot name a cluster',
      'providers:\n  a.b: { api: openai, base_url: "http://h" }\n',
      ['2:3 providers["a.b"]: expected a name of up to 63 letters, digits, "_" and "-" as the key'],
    ],
    [
      'a base URL with a query',
      withProvider('api: openai, base_url: "http://h/v1?a=b"'),
      ['2:35 providers.local.base_url: expected a URL without query and fragment'],
    ],
    [
      'a base URL of another scheme',
      withProvider('api: openai, base_url: "ftp://h/v1"'),
      ['2:35 providers.local.base_url: expected an http or https URL'],
    ],
    [
      'an API version outside of Azure',
      withProvider('api: openai, base_url: "http://h", api_version: v1'),
      ['2:60 providers.local.api_version: only `api: azure_openai` has versions'],
    ],
    [
      'the Responses API of Anthropic',
      withProvider('api: anthropic, base_url: "http://h", responses: true'),
      ['2:61 providers.local.responses: Anthropic has no Responses API; expected false'],
    ],
    [
      'a header that frames messages',
      withProvider('api: openai, base_url: "http://h", headers: { Content-Length: "3" }'),
      ['2:58 providers.local.headers.Content-Length: Envoy writes this header itself'],
    ],
    [
      'a number of workers',
      'engine: { workers: many }\n',
      ['1:20 engine.workers: expected a whole number or "auto", found "many"'],
    ],
    [
      'a trace link without its place',
      'dashboard: { trace_url: "https://t/x" }\n',
      ['1:25 dashboard.trace_url: expected an http or https URL with `{trace_id}` in it'],
    ],
    [
      'a directory to follow without a key',
      'directory: { from: "http://admin:8081" }\n',
      ['1:12 directory.key: missing; expected `key`, `key_env` or `key_file`, as the admin service has it'],
    ],
    [
      'logs to an admin service without its key',
      'logs: { to: "http://admin:8081" }\n',
      ['1:1 directory.key: missing; expected `key`, `key_env` or `key_file`, as the admin service has it'],
    ],
    [
      'logs to a URL that is none',
      'logs: { to: "admin:8081" }\ndirectory: { key: k }\n',
      ['1:13 logs.to: expected an http or https URL'],
    ],
    [
      'a directory with a key in its URL',
      'directory: { from: "http://me:secret@admin", key: k }\n',
      ['1:20 directory.from: expected a URL without credentials'],
    ],
    [
      'a key of engines that opens something else',
      'admin_keys: [{ name: root, key: same }]\ndirectory: { key: same }\n',
      ['2:19 directory.key: this key opens something else too'],
    ],
    [
      'a key of engines from a variable that is not set',
      'directory: { key_env: NOT_THERE }\n',
      ['1:23 directory.key_env: the environment variable NOT_THERE is not set'],
    ],
    ['a YAML tag', 'engine: !local { workers: 1 }\n', ['1:9 not valid YAML: Unresolved tag: !local']],
    [
      'an infinite number',
      withEndpoint('').replace('model: m', 'model: m, weight: .inf'),
      ['8:55 projects[0].endpoints[0].models[0].weight: expected text, a finite number, true, false or null'],
    ],
  ];

  it.each(cases)('%s', (_name, text, expected) => {
    expect(mistakesOf(text)).toEqual(expected.map((line) => `sluice.yaml:${line}`));
  });

  it('tells all mistakes at once, in the order of the file', () => {
    const text = `providers:
  local: { api: openai, base_url: nowhere }
projects:
  - uid: 1
    endpoints:
      - { name: a, models: [{ provider: lokal, model: m, wait: 3 }], log_content: ful }
      - { name: a, models: [{ provider: local, model: m }] }
engine: { workers: 0 }
`;
    expect(mistakesOf(text)).toEqual([
      'sluice.yaml:2:35 providers.local.base_url: expected an http or https URL',
      'sluice.yaml:4:5 projects[0].name: missing; expected text',
      'sluice.yaml:4:10 projects[0].uid: expected text, found 1; write it in quotes',
      'sluice.yaml:6:41 projects[0].endpoints[0].models[0].provider: no provider "lokal"; did you mean "local"?',
      'sluice.yaml:6:58 projects[0].endpoints[0].models[0].wait: unknown key; expected one of provider, model, structured_output, weight, when',
      'sluice.yaml:6:83 projects[0].endpoints[0].log_content: expected one of masked, full, none, found "ful"; did you mean "full"?',
      'sluice.yaml:7:17 projects[0].endpoints[1].name: the same name as endpoints[0]',
      'sluice.yaml:8:20 engine.workers: expected a whole number or "auto", found 0',
    ]);
  });

  it('does not repeat a key, nor what stands where a variable should be named', () => {
    const text = `providers:
  local: { api: openai, base_url: "https://user:pass@h/v1", api_key_env: "sk-very secret", headers: { authorization: "a\\nb" } }
admin_keys: [{ name: root, key: "two words" }]
`;
    const told = mistakesOf(text);
    expect(told).toHaveLength(4);
    expect(told.join('\n')).not.toMatch(/pass|secret|words|a.b"/);
  });

  it('takes the text of a key with a line break in the environment for a mistake', () => {
    const text = 'admin_keys: [{ name: root, key_env: BROKEN }]';
    expect(mistakesOf(text, { env: { BROKEN: 'secret\n' } })).toEqual([
      'sluice.yaml:1:37 admin_keys[0].key_env: the environment variable BROKEN does not hold a key of letters, digits and signs, without spaces',
    ]);
  });

  it('takes a key that opens a project and the administration for a mistake', () => {
    const text = `projects:
  - { uid: 00000000-0000-4000-8000-000000000001, name: a, api_keys: [{ name: k, key: same, scopes: [logs] }] }
admin_keys: [{ name: root, key: same }]
`;
    expect(mistakesOf(text)).toEqual([
      'sluice.yaml:2:86 projects[0].api_keys[0].key: this key opens the administration too',
    ]);
  });

  it('does not find two keys the same that are both not set', () => {
    const text = 'admin_keys: [{ name: a, key_env: EMPTY }, { name: b, key_env: EMPTY }]';
    const told = mistakesOf(text, { env: { EMPTY: '' } });
    expect(told.map((line) => line.split(': ')[1])).toEqual(
      Array(2).fill('the environment variable EMPTY is not set'),
    );
  });

  it('allows the same key text in two projects', () => {
    const project = (digit: number) =>
      `  - { uid: 00000000-0000-4000-8000-00000000000${digit}, name: a, api_keys: [{ name: k, key: same, scopes: [logs] }] }`;
    expect(mistakesOf(`projects:\n${project(1)}\n${project(2)}\n`)).toEqual([]);
  });

  it.each([
    ['a syntax error', 'a: [1,\n'],
    ['a tab', 'engine:\n\tworkers: 1\n'],
    ['two documents', 'engine: {}\n---\nengine: {}\n'],
    ['an alias to nothing', 'engine: *missing\n'],
    ['an alias within its anchor', 'engine: &loop { workers: *loop }\n'],
    ['a key that is a list', '? [engine]\n: 1\n'],
    ['a binary', withEndpoint('plugins: [{ plugin: p, config: { a: !!binary aGk= } }]')],
  ])('%s', (_name, text) => {
    expect(mistakesOf(text)).not.toEqual([]);
  });

  it('refuses aliases that stand for more than memory holds', () => {
    const levels = Array.from({ length: 9 }, (_, level) => {
      const item = level === 0 ? '1' : `*l${level - 1}`;
      return `  l${level}: &l${level} [${Array(10).fill(item).join(', ')}]`;
    });
    expect(mistakesOf(`engine:\n${levels.join('\n')}\n`).join('\n')).toMatch(/stands for more than/);
  });
});

describe('any text', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      '\n',
      '- ',
      ': ',
      '{',
      '}',
      '[',
      ']',
      '"',
      '#',
      '&a ',
      '*a',
      '!!map ',
      '? ',
      '~',
      '-1',
    ),
    fc.string({ maxLength: 6 }),
  );

  it('gives a configuration, or mistakes that lie in it', () => {
    const edit = fc.record({ at: fc.nat(EXAMPLE.length), length: fc.nat(40), text: piece });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 3 }), (edits) => {
        const text = edits.reduce(
          (current, { at, length, text: inserted }) =>
            current.slice(0, at) + inserted + current.slice(at + length),
          EXAMPLE,
        );
        const result = parse(text);
        if ('config' in result) return;
        expect(result.mistakes.length).toBeGreaterThan(0);
        const lines = text.split(/\r\n|\r|\n/);
        for (const { line, column } of result.mistakes) {
          expect(line).toBeGreaterThanOrEqual(1);
          expect(line).toBeLessThanOrEqual(lines.length);
          expect(column).toBeGreaterThanOrEqual(1);
        }
      }),
      { numRuns: 200 },
    );
  }, 30_000);
});

describe('plugins of the file', () => {
  const text = withEndpoint('plugins: [{ plugin: guard, config: { words: [a, 1] } }]');

  it('get the place of what the plugin says', () => {
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

  it('tell which module could not be loaded', () => {
    const pluginFailures = new Map([['/etc/guard.js', 'no such module']]);
    expect(mistakesOf('plugins: [./guard.js]', { file: '/etc/sluice.yaml', pluginFailures })).toEqual([
      '/etc/sluice.yaml:1:11 plugins[0]: no such module',
    ]);
  });
});

it('renders mistakes as a list with their count', () => {
  const result = parse('engine: { workers: 0 }\nspool: 3\n');
  expect('mistakes' in result && renderMistakes(result.mistakes)).toBe(
    'sluice.yaml:1:20 engine.workers: expected a whole number or "auto", found 0\n' +
      'sluice.yaml:2:8 spool: expected a map, found 3\n' +
      '2 mistakes',
  );
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
  ])('%s is a mistake, which shows nothing of it', (_what, keyFile, expected) => {
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
    expect([...findKeyFiles(text, '/c/sluice.yaml')].sort()).toEqual([...keyFiles.keys()].sort());
    const { adminKeys, directory, projects } = configOf(text, { file: '/c/sluice.yaml', keyFiles });
    const secrets = [adminKeys[0]?.secret, directory.key, projects[0]?.keys[0]?.secret];
    expect(secrets.map((secret) => secret?.reveal())).toEqual(['sk-root', 'sk-engines', 'sk-app']);
  });

  it('tells a key of a client that is missing, is another one too, or stands beside a variable', () => {
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
        'projects[0].api_keys[1].key_file: this key opens the administration too',
      ],
    );
  });

  it('is refused beside a variable', () => {
    const text =
      'providers: { p: { api: openai, base_url: "http://h/v1", api_key_env: LOCAL_KEY, api_key_file: key } }';
    const result = parse(text, { file: '/c/sluice.yaml', keyFiles: new Map([['/c/key', { text: 'sk' }]]) });
    expect('mistakes' in result && result.mistakes.map(({ message }) => message)).toEqual([
      'expected `api_key_env` or `api_key_file`, found both',
    ]);
  });
});
