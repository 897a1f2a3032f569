import { describe, expect, it } from 'vitest';
import { mistakesOf, parse, withEndpoint, withProvider } from '../../test/support/parse-config.js';
import { renderMistakes } from './mistakes.js';

const NEEDS_AUTHORITY =
  'an address that other machines reach needs `client_ca_file`, the authority of the Envoys that may call; `tls: none` serves whoever reaches it';

describe('a mistake is reported with line, column, key and what was expected', () => {
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
      ['1:11 engine.zzz: unknown key; expected one of workers, listen'],
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
    [
      'a name that no address can hold',
      withEndpoint('').replace('name: a', 'name: ..'),
      ['7:15 projects[0].endpoints[0].name: expected text on one line, other than "." and "..", found ".."'],
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
      'a key for an endpoint that is not there',
      withEndpoint('').replace(
        'name: demo',
        'name: demo\n    api_keys: [{ name: k, key: sk-k, scopes: [inference], endpoints: [aa] }]',
      ),
      ['6:71 projects[0].api_keys[0].endpoints[0]: no endpoint "aa" in this project; did you mean "a"?'],
    ],
    [
      'a limit of nothing, of two things, without a window, and with one too many',
      withEndpoint('').replace(
        'name: demo',
        'name: demo\n    limits: [{ per: key }, { per: key, requests: 1, tokens: 1, window: day }, { per: key, requests: 1 }, { per: key, concurrent: 1, window: day }]',
      ),
      [
        '6:14 projects[0].limits[0]: expected one of `requests`, `tokens`, `cost_usd`, `concurrent`, found none',
        '6:61 projects[0].limits[1].tokens: expected one of `requests`, `tokens`, `cost_usd`, `concurrent`, found `requests` and `tokens`',
        '6:79 projects[0].limits[2].window: missing; expected one of second, minute, hour, day, month',
        '6:141 projects[0].limits[3].window: `concurrent` counts requests at a time, and has no window',
      ],
    ],
    [
      'a limit for nobody',
      withEndpoint('').replace(
        'name: demo',
        'name: demo\n    limits: [{ per: user, requests: 1, window: day }]',
      ),
      [
        '6:21 projects[0].limits[0].per: expected "project", "key", "endpoint", "tag" or "metadata." and a key of the metadata, found "user"',
      ],
    ],
    [
      'a budget over a model without a price',
      withEndpoint('').replace(
        'name: demo',
        'name: demo\n    limits: [{ per: project, cost_usd: 5, window: month }]',
      ),
      [
        '6:40 projects[0].limits[0].cost_usd: the price of "local/m" is not known, which the endpoint "a" uses: its costs would not count; give it in `prices` or `models` of the provider',
      ],
    ],
    [
      'a model that the catalogue does not have',
      withProvider('api: openai, base_url: "http://h/v1", models: { m: openai/gpt-5-minni }'),
      [
        '2:63 providers.local.models.m: the catalogue of models has no "openai/gpt-5-minni" (`sluice models` lists what it has); did you mean "openai/gpt-5-mini"?',
      ],
    ],
    [
      'a catalogue that is none',
      'model_catalogue: models.json\n',
      ['1:18 model_catalogue: the file cannot be read: it was not read'],
    ],
    [
      'a price below zero',
      withProvider(
        'api: openai, base_url: "http://h/v1", prices: { m: { input_per_mtok: 1, output_per_mtok: 1, tiers: { flex: { input_per_mtok: -1 } } } }',
      ),
      ['2:137 providers.local.prices.m.tiers.flex.input_per_mtok: expected at least 0, found -1'],
    ],
    [
      'an environment variable that is not set',
      withProvider('api: openai, base_url: "http://h/v1", api_key_env: MISSING'),
      ['2:63 providers.local.api_key_env: the environment variable MISSING is not set'],
    ],
    [
      'the same key of YAML twice',
      'engine: { workers: 1 }\nengine: { workers: 2 }\n',
      ['2:1 engine: this key is defined twice'],
    ],
    [
      'the same provider twice',
      'providers:\n  a: { api: openai, base_url: "http://h" }\n  a: { api: openai, base_url: "http://h" }\n',
      ['3:3 providers.a: this key is defined twice'],
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
        '8:96 projects[0].endpoints[0].models[1].model: its vectors cannot be compared with those of "text-embedding-3-small"; expected one model, or `same_vectors: true` where both names mean the same model',
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
      ['2:60 providers.local.api_version: `api_version` needs `api: azure_openai`'],
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
      'an address to listen on that is none',
      'engine: { listen: { address: "engine:9191" } }\n',
      [
        '1:30 engine.listen.address: expected an IP address and a port, such as 0.0.0.0:9191 or [::]:9191, found "engine:9191"',
      ],
    ],
    [
      'a port that there is not',
      'engine: { listen: { address: "127.0.0.1:70000" } }\n',
      ['1:30 engine.listen.address: expected an IP address and a port, such as 0.0.0.0:9191 or [::]:9191'],
    ],
    [
      'an address that others reach without TLS',
      'engine: { listen: { address: "0.0.0.0:9191" } }\n',
      [`1:19 engine.listen.tls: missing; ${NEEDS_AUTHORITY}`],
    ],
    [
      'an address that others reach without an authority of Envoys',
      'engine: { listen: { address: "[::]:9191", tls: { cert_file: a, key_file: b } } }\n',
      [`1:48 engine.listen.tls.client_ca_file: missing; ${NEEDS_AUTHORITY}`],
    ],
    [
      'an address for several workers',
      'engine: { workers: 2, listen: { address: "127.0.0.1:9191" } }\n',
      [
        '1:20 engine.workers: with `listen` an engine is one process; run more engines behind the address instead',
      ],
    ],
    [
      'TLS that is another word',
      'engine: { listen: { address: "0.0.0.0:9191", tls: off } }\n',
      ['1:51 engine.listen.tls: expected "none" or a map, found "off"'],
    ],
    [
      'a certificate without its key',
      'engine: { listen: { address: "127.0.0.1:9191", tls: { cert_file: a } } }\n',
      ['1:53 engine.listen.tls.key_file: missing; expected text'],
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
      ['2:19 directory.key: this key is also used in another place; expected one of its own'],
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

  it('and all mistakes are reported at once, in the order of the file', () => {
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

  it('and for a copy of the demo the message says where its model comes from', () => {
    const text = `projects:
  - uid: 00000000-0000-4000-8000-000000000001
    name: demo
    endpoints: [{ name: demo, models: [{ provider: mock, model: small }] }]
`;
    expect(mistakesOf(text)).toEqual([
      'sluice.yaml:4:52 projects[0].endpoints[0].models[0].provider: no provider "mock", since `providers` names none; only `npm start` adds a mock model to such a file',
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
