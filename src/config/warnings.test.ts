import { describe, expect, it } from 'vitest';
import { configOf, ENV, EXAMPLE, mistakesOf, withEndpoint } from '../../test/support/parse-config.js';
import { renderMistake } from './mistakes.js';
import { readSoundPart } from './sound-part.js';
import { findWarnings } from './warnings.js';

const warningsOf = (text: string) => findWarnings(text, 'f').map(renderMistake);
const withUrl = (api: string, url: string, more = '') =>
  `providers:\n  p: { api: ${api}, base_url: "${url}"${more} }\n`;

describe('the warnings of a configuration', () => {
  it.each([
    ['openai', 'https://api.openai.com/v1/chat/completions', '/chat/completions'],
    ['openai', 'https://api.openai.com/v1/responses/', '/responses/'],
    ['anthropic', 'https://api.anthropic.com/v1/messages', '/messages'],
    [
      'gemini',
      'https://g.example/v1beta/models/gemini-x:generateContent',
      '/models/gemini-x:generateContent',
    ],
    ['azure_openai', 'https://x.example/openai/v1/embeddings', '/embeddings'],
  ])('report a base_url of %s that ends with the path of a call: %s', (api, url, call) => {
    const [first, ...rest] = warningsOf(withUrl(api, url));
    expect(first).toMatch(/^f:2:\d+ providers\.p\.base_url: it ends in the path of a call/);
    expect(first).toContain(`without \`${call}\``);
    expect(rest).toEqual([]);
  });

  it.each([
    ['openai', '/v1'],
    ['anthropic', '/v1'],
    ['gemini', '/v1beta'],
  ])('report a base_url of %s without %s', (api, usual) => {
    const text = withUrl(api, 'https://host.example/');
    const column = text.split('\n')[1]!.indexOf('"') + 1;
    expect(warningsOf(text)).toEqual([
      `f:2:${column} providers.p.base_url: it has no path; servers of this API have their calls below \`${usual}\``,
    ]);
  });

  it.each([
    withUrl('openai', 'https://api.openai.com/v1'),
    withUrl('openai', 'https://host.example/v1/messages-of-us'),
    withUrl('openai', 'https://api.deepseek.com', ', compatible: deepseek'),
    withUrl('azure_openai', 'https://x.openai.azure.com'),
    withUrl('gemini', 'https://generativelanguage.googleapis.com/v1beta'),
    withUrl('openai', 'no url'),
    'providers: 3\n',
    ': [',
  ])('are empty for %j', (text) => {
    expect(warningsOf(text)).toEqual([]);
  });

  it('report providers and prices that no endpoint uses, with the name that was probably meant', () => {
    const price = '{ input_per_mtok: 1, output_per_mtok: 1 }';
    const text = withEndpoint('').replace(
      '/v1" }',
      `/v1", models: { m: openai/gpt-5-mini }, prices: { largge: ${price}, other: ${price} } }\n  spare: { api: openai, base_url: "http://127.0.0.1:1/v1", prices: { m: ${price} } }`,
    );
    const used = text.replace('model: m }', 'model: m }, { provider: local, model: large }');
    expect(mistakesOf(used)).toEqual([]);
    const nobody = 'no endpoint of this file calls this model of the provider, so nobody uses its price';
    expect(warningsOf(used).map((line) => line.replace(/^f:(\d+):\d+/, '$1'))).toEqual([
      `2 providers.local.prices.largge: ${nobody}; did you mean "large"?`,
      `2 providers.local.prices.other: ${nobody}`,
      expect.stringMatching(/^3 providers\.spare: no endpoint of this file uses it/),
    ]);
  });

  it.each([
    ['sticky: {}', 'sticky', 'no two models next to each other have a `weight`'],
    [
      'json_validation: true\n        first_token_timeout_ms: 5',
      'first_token_timeout_ms',
      'held until it is complete',
    ],
  ])('report settings without an effect: %s', (lines, key, reason) => {
    const [warning, ...rest] = warningsOf(withEndpoint(lines));
    expect(warning).toMatch(
      new RegExp(`^f:\\d+:9 projects\\[0\\]\\.endpoints\\[0\\]\\.${key}: it has no effect`),
    );
    expect(warning).toContain(reason);
    expect(rest).toEqual([]);
  });

  it('report a webhook for limits that no limit calls', () => {
    const text = (limit: string) =>
      withEndpoint('').replace(
        'name: demo',
        `name: demo\n    limits: [{ per: key, ${limit} }]\n    limit_webhook: { url: "http://h/x" }`,
      );
    expect(warningsOf(text('requests: 1, window: day'))).toEqual([
      'f:7:5 projects[0].limit_webhook: it is never called, because the project limits neither tokens nor costs',
    ]);
    expect(warningsOf(text('tokens: 1, window: day'))).toEqual([]);
  });

  it('count what a plugin calls as used', () => {
    const text = withEndpoint('plugins: [{ plugin: mine, config: { judge: { provider: spare } } }]').replace(
      'projects:',
      '  spare: { api: openai, base_url: "http://127.0.0.1:1/v1" }\nprojects:',
    );
    expect(warningsOf(text)).toEqual([]);
  });
});

describe('the sound part of a file', () => {
  const read = (text: string) => readSoundPart(text, { file: 'sluice.yaml', env: ENV });

  it('is the whole of a file without mistakes', () => {
    const { config, leftOut } = read(EXAMPLE);
    expect(leftOut).toEqual([]);
    expect(JSON.stringify(config)).toBe(JSON.stringify(configOf(EXAMPLE)));
  });

  it('leaves out what has mistakes, and what depends on it', () => {
    const { config, leftOut } = read(
      EXAMPLE.replace('LOCAL_KEY', 'NOT_SET').concat('spool: { max_bytes: many }\nprojcts: []\n'),
    );
    expect(leftOut).toEqual(['providers.local', 'spool', 'projcts', 'projects[0]']);
    expect([...config.providers.keys()]).toEqual(['claude']);
    expect([config.projects, config.adminKeys.map(({ name }) => name)]).toEqual([[], ['root']]);
  });

  it('names each project by its place in the file, even when others were left out', () => {
    const project = (uid: number, provider: string, more = '') =>
      `  - { uid: 00000000-0000-4000-8000-00000000000${uid}, name: p, ${more}endpoints: [{ name: e, models: [{ provider: ${provider}, model: m }] }] }`;
    const file = [
      'providers:',
      '  broken: { api: openai, base_url: nowhere }',
      '  good: { api: openai, base_url: "http://127.0.0.1:1/v1" }',
      'projects:',
      project(0, 'good', 'nme: x, '),
      project(1, 'broken'),
      project(2, 'good'),
    ];
    const { config, leftOut } = read(`${file.join('\n')}\n`);
    expect(leftOut).toEqual(['providers.broken', 'projects[0]', 'projects[1]']);
    expect(config.projects.map(({ uid }) => uid)).toEqual(['00000000-0000-4000-8000-000000000002']);
  });

  it('leaves out both of two entries of the same name, since either may be meant', () => {
    const { config, leftOut } = read(`${EXAMPLE}spool: { max_bytes: 4096 }\nspool: { max_bytes: 8192 }\n`);
    expect(leftOut).toEqual(['spool']);
    expect(config.spool.max_bytes).toBe(1_073_741_824);
    expect(config.providers.size).toBe(2);
  });

  it.each([': [', '- 1\n', ''])('consists of defaults where nothing can be read: %j', (text) => {
    const { config, leftOut } = read(text);
    expect([config.providers.size, leftOut]).toEqual([0, undefined]);
  });
});
