import { describe, expect, it } from 'vitest';
import { systemClock } from '../../core/clock.js';
import type { JsonObject } from '../../core/json.js';
import type { Message } from '../../core/message.js';
import { createPluginHost } from '../runtime/host.js';
import { textRules } from './index.js';

const host = createPluginHost({ plugins: [textRules], clock: systemClock });
const context = {
  requestId: 'log-1',
  endpoint: 'support',
  metadata: {},
  headers: {},
  signal: new AbortController().signal,
};

function check(config: JsonObject) {
  return host.prepare([
    {
      plugin: 'text_rules',
      phases: [],
      config,
      timeout_ms: 1_000,
      isolate: false,
      mode: 'enforce',
      sample: 1,
    },
  ]);
}

function prepare(rules: JsonObject[], more: JsonObject = {}) {
  const result = check({ rules, ...more });
  if ('mistakes' in result) throw new Error(JSON.stringify(result.mistakes));
  return result.plugins;
}

const said = (role: Message['role'], text: string): Message => ({ role, parts: [{ type: 'text', text }] });

async function run(rules: JsonObject[], ...messages: Message[]) {
  return host.runRequest(prepare(rules), context, messages, {});
}

describe('text_rules', () => {
  const acme = { words: ['Acme', 'acme corp'], deny: true };

  it('rejects a denied word in upper or lower case, and reports where', async () => {
    const outcome = await run([acme], said('user', 'Hello.'), said('user', 'Is ACME nice?'));
    expect(outcome.rejection).toMatchObject({ clientCode: 'text_rule', status: 400 });
    expect(outcome.runs[0]?.findings).toEqual([
      { type: 'TEXT_RULE', place: '/1/parts/0/text', start: 3, end: 7, score: 1 },
    ]);
  });

  it('matches whole words only', async () => {
    expect((await run([acme], said('user', 'Acmeology'))).runs[0]?.findings).toEqual([]);
  });

  it.each([
    ['a blank that does not break', 'See project\u00a0heron.'],
    ['blanks of no width', 'See proj\u200bect heron.'],
    ['full-width letters', 'See ｐｒｏｊｅｃｔ heron.'],
    ['the escapes of JSON', '{"to":"See\\nproject\\u0020heron\\nnow"}'],
  ])('finds words however their letters are written: %s', async (_case, text) => {
    const { rejection } = await run([{ words: ['project heron'], deny: true }], said('user', text));
    expect(rejection?.clientCode).toBe('text_rule');
  });

  it('finds a name with accents that JSON has escaped, and masks all of it', async () => {
    const plugins = prepare([{ words: ['Müller GmbH'], deny: true }], {
      reject_on_detection: false,
      mask: true,
    });
    const text = '{"firm":"M\\u00fcller GmbH"}';
    const { content } = await host.runRequest(plugins, context, [said('tool', text)], {});
    expect(content[0]?.parts).toEqual([{ type: 'text', text: '{"firm":"<TEXT_RULE>"}' }]);
  });

  it.each([
    ['a letter that JSON has escaped', 'Jos\\u00e9'],
    ['an escaped letter of ASCII', 'J\\u006fs\\u00E9'],
    ['blanks of no width', 'Jo\u200bsé'],
    ['full-width letters', 'Ｊｏｓé'],
    ['escaped full-width letters', '\\uff2aos\\u00e9'],
  ])('finds a pattern however its letters are written: %s', async (_case, text) => {
    const rules = [{ pattern: 'Jos[éè]', deny: true }];
    expect((await run(rules, said('tool', `{"to":"${text}"}`))).rejection?.clientCode).toBe('text_rule');
  });

  it.each([
    ['a slash', '/srv/plans?', '{"file":"\\/srv\\/plan"}'],
    ['quotes', 'code "red"', '{"say":"a code \\"red\\""}'],
    ['the end of a line before a small letter', '(?m)^heron', '{"say":"a\\nheron"}'],
    ['a letter beyond the basic plane', '🦅', '{"say":"\\ud83e\\udd85"}'],
  ])('finds a pattern across the escape of %s', async (_case, pattern, text) => {
    const outcome = await run([{ pattern, deny: true }], said('tool', text));
    expect(outcome.rejection).toBeDefined();
  });

  it('finds words across the escape of a slash', async () => {
    const outcome = await run([{ words: ['team/heron'], deny: true }], said('tool', '"our team\\/heron"'));
    expect(outcome.rejection).toBeDefined();
  });

  it('still finds patterns that match the text as it is written', async () => {
    for (const pattern of ['\\\\u00e9', '\u200b']) {
      const outcome = await run([{ pattern, deny: true }], said('user', 'Jos\\u00e9 Li\u200bma'));
      expect(outcome.runs[0]?.findings, pattern).toHaveLength(1);
    }
  });

  it.each([
    ['[a-z]+@[a-z.]+', '{"to":"jane\\u0040x.org"}', '{"to":"<TEXT_RULE>"}'],
    ['Jos.', '{"to":"Jos\\u00e9"}', '{"to":"<TEXT_RULE>"}'],
    ['u00e9', '{"to":"Jos\\u00e9"}', '{"to":"Jos<TEXT_RULE>"}'],
    ['"red', '{"say":"code \\"red\\""}', '{"say":"code <TEXT_RULE>\\""}'],
    ['red.', '{"say":"code \\"red\\""}', '{"say":"code \\"<TEXT_RULE>"}'],
    ['a/b', '{"say":"\\\\a\\/b"}', '{"say":"\\\\<TEXT_RULE>"}'],
    ['🦅', '{"say":"\\ud83e\\udd85!"}', '{"say":"<TEXT_RULE>!"}'],
  ])('does not split an escape where it masks %s in %s', async (pattern, text, masked) => {
    const plugins = prepare([{ pattern, deny: true }], { reject_on_detection: false, mask: true });
    const { content } = await host.runRequest(plugins, context, [said('tool', text)], {});
    expect(content[0]?.parts).toEqual([{ type: 'text', text: masked }]);
    expect(() => JSON.parse(masked)).not.toThrow();
  });

  it('lets pass what an allowed pattern covers in the same reading of the text', async () => {
    const rules: JsonObject[] = [
      { pattern: '[a-z]+@[a-z.]+', deny: true },
      { pattern: '[a-z]+@our[.]org', allow: true },
    ];
    const outcome = await run(rules, said('tool', '{"to":["a\\u0040our.org","b\\u0040x.org"]}'));
    expect(outcome.runs[0]?.findings).toMatchObject([{ start: 25, end: 37 }]);
  });

  it('rejects what a pattern matches, with the message of its rule', async () => {
    const rules = [acme, { pattern: 'PRJ-[0-9]{4}', deny: true, message: 'No project numbers.' }];
    const outcome = await run(rules, said('user', 'See PRJ-2041.'));
    expect(outcome.rejection?.message).toBe('No project numbers.');
    expect(outcome.runs[0]?.debug).toEqual({ rules: [{ place: '/0/parts/0/text', rule: 2 }] });
  });

  it('accepts a pattern between slashes with its flags, as lists of pii_detection do', async () => {
    for (const pattern of ['/prj-[0-9]{4}/i', '(?i)prj-[0-9]{4}', '/PRJ-/']) {
      const outcome = await run([{ pattern, deny: true }], said('user', 'See PRJ-2041.'));
      expect(outcome.rejection, pattern).toBeDefined();
    }
  });

  it('lets pass what a rule allows and covers as a whole', async () => {
    const rules = [acme, { words: ['Acme Foundation'], allow: true }];
    const outcome = await run(rules, said('user', 'The Acme Foundation, not Acme.'));
    expect(outcome.runs[0]?.findings).toMatchObject([{ start: 25 }]);
  });

  it('checks only the roles of a rule, where an answer has the role of the assistant', async () => {
    const rules: JsonObject[] = [
      { ...acme, roles: ['user'] },
      { pattern: 'secret', deny: true, roles: ['assistant'] },
    ];
    const plugins = prepare(rules);
    const messages = [said('system', 'Acme helps.'), said('user', 'A secret.')];
    expect((await host.runRequest(plugins, context, messages, {})).rejection).toBeUndefined();
    const answer = (text: string) => [
      { index: 0, parts: [{ type: 'text' as const, text }], finishReason: 'stop' as const },
    ];
    expect(
      (await host.runResponse(plugins, context, answer('Acme'), messages, {})).rejection,
    ).toBeUndefined();
    expect(
      (await host.runResponse(plugins, context, answer('A secret.'), messages, {})).rejection,
    ).toBeDefined();
  });

  it('masks', async () => {
    const plugins = prepare([acme], { reject_on_detection: false, mask: true });
    const outcome = await host.runRequest(plugins, context, [said('user', 'Acme Corp wins.')], {});
    expect(outcome.content).toEqual([said('user', '<TEXT_RULE> wins.')]);
  });

  it('takes time in proportion to the text only, whatever the pattern', async () => {
    const rules = [{ pattern: '(a+)+b', deny: true }];
    const outcome = await run(rules, said('user', `${'a'.repeat(30_000)}!`));
    expect(outcome.runs[0]?.outcome).toBe('passed');
  });

  it.each([
    ['window', { words: ['Acme'], deny: true }],
    ['window', { pattern: 'PRJ-[0-9]{4}', deny: true }],
    ['whole', { pattern: 'from .* to', deny: true }],
  ])('needs a %s of a stream with %j', (need, rule) => {
    expect(host.streamNeed(prepare([rule]))).toBe(need);
  });

  it.each([
    ['/plugins/0/config/rules/0/pattern', { pattern: '(?=a)', deny: true }, /RE2/],
    ['/plugins/0/config/rules/0/pattern', { pattern: '(', deny: true }, /RE2/],
    ['/plugins/0/config/rules/0', { pattern: 'a', words: ['b'], deny: true }, /exactly one/],
    ['/plugins/0/config/rules/0', { pattern: 'a' }, /exactly one/],
    ['/plugins/0/config/rules/0/roles/0', { pattern: 'a', deny: true, roles: ['boss'] }, /developer/],
  ])('is refused with the mistake at %s', (path, rule, message) => {
    expect(check({ rules: [rule] })).toEqual({
      mistakes: expect.arrayContaining([{ path, message: expect.stringMatching(message) }]),
    });
  });
});
