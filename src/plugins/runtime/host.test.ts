import { describe, expect, it } from 'vitest';
import {
  anySchema,
  contextOf,
  pluginEntry,
  preparePlugins,
  requestPlugin,
  runOne,
  user,
} from '../../../test/support/plugin-host.js';
import type { Choice } from '../../core/answer.js';
import type { Plugin, RequestInput } from '../contract/plugin.js';
import { StandIns } from '../stand-ins/stand-ins.js';

describe('the request phase', () => {
  it('passes messages on when a plugin passes them', async () => {
    const outcome = await runOne(() => ({ action: 'pass' }));
    expect(outcome).toMatchObject({ content: [user('hello')], modified: false });
    expect(outcome.runs).toMatchObject([
      { plugin: 'one', phase: 'request', outcome: 'passed', findings: [] },
    ]);
    expect(outcome.rejection).toBeUndefined();
  });

  it('keeps beside its run what a plugin wants to be restored in the answer, and shows it to later plugins', async () => {
    const standIns = new StandIns();
    const content = [user('I am <A>.')];
    const outcome = await runOne(
      () => ({ action: 'modify', content, restores: { '<A>': 'Ann' } }),
      {},
      [user('I am Ann.')],
      contextOf({ standIns }),
    );
    expect(outcome).toMatchObject({ content, runs: [{ outcome: 'modified' }] });
    expect(JSON.stringify(outcome)).not.toContain('Ann');
    expect(standIns.valueOf('<A>')).toBe('Ann');
    let seen: string | undefined;
    await runOne(
      (input) => {
        seen = input.standIns?.valueOf('<A>');
        return { action: 'pass' };
      },
      {},
      [user('I am <A>.')],
      contextOf({ standIns }),
    );
    expect(seen).toBe('Ann');
  });

  it.each([['no'], { '': 'a' }, { a: 1 }, { ['a'.repeat(201)]: 'a' }])(
    'ignores restores of the form %j',
    async (restores) => {
      const outcome = await runOne(() => ({ action: 'modify', content: [user('hi')], restores }));
      expect(outcome).toMatchObject({ modified: false, runs: [{ outcome: 'error' }] });
    },
  );

  it('gives each plugin the result of the one before', async () => {
    const append = (letter: string) => (input: RequestInput<unknown>) => {
      const [message] = input.messages;
      const text = message?.parts[0]?.type === 'text' ? message.parts[0].text + letter : '';
      return { action: 'modify', content: [user(text)] };
    };
    const { host, plugins } = preparePlugins(
      [requestPlugin('a', append('a')), requestPlugin('b', append('b'))],
      [pluginEntry('b'), pluginEntry('a')],
    );
    const outcome = await host.runRequest(plugins, contextOf(), [user('-')], {});
    expect(outcome.content).toEqual([user('-ba')]);
    expect(outcome.modified).toBe(true);
    expect(outcome.runs.map((run) => run.outcome)).toEqual(['modified', 'modified']);
  });

  it('reports a plugin as passed that returns the same texts', async () => {
    const outcome = await runOne((input) => ({ action: 'modify', content: input.messages }));
    expect(outcome.modified).toBe(false);
    expect(outcome.runs[0]?.outcome).toBe('passed');
  });

  it('ends at a rejection, with the message, code and status from the plugin', async () => {
    const later = requestPlugin('later', () => ({ action: 'pass' }));
    const { host, plugins } = preparePlugins(
      [
        requestPlugin('no', () => ({
          action: 'reject',
          message: 'Not that.',
          code: 'off_topic',
          status: 403,
        })),
        later,
      ],
      [pluginEntry('no'), pluginEntry('later')],
    );
    const outcome = await host.runRequest(plugins, contextOf(), [user('hello')], {});
    expect(outcome.rejection).toMatchObject({
      code: 'rejected_by_plugin',
      clientCode: 'off_topic',
      message: 'Not that.',
      status: 403,
    });
    expect(outcome.runs).toMatchObject([
      { plugin: 'no', outcome: 'rejected' },
      { plugin: 'later', outcome: 'skipped', reason: "'no' rejected before" },
    ]);
  });

  it.each([
    ['a message that is none', { action: 'reject' }],
    ['a status that is none', { action: 'reject', message: 'No.', status: 200 }],
    ['a code that is none', { action: 'reject', message: 'No.', code: 'a b' }],
    ['findings that are none', { action: 'reject', message: 'No.', findings: 'many' }],
  ])('keeps a rejection in spite of %s', async (_, result) => {
    const outcome = await runOne(() => result);
    expect(outcome.rejection).toMatchObject({ clientCode: 'rejected_by_plugin', status: 400 });
    expect(outcome.runs[0]?.outcome).toBe('rejected');
  });

  it('keeps of a finding its type, place, offsets and score, and nothing else', async () => {
    const finding = { type: 'PERSON', place: '/0/parts/0/text', start: 0, end: 4, score: 0.9 };
    const outcome = await runOne(() => ({ action: 'pass', findings: [{ ...finding, text: 'Anna' }] }));
    expect(outcome.runs[0]?.findings).toEqual([finding]);
  });

  it('keeps annotations and debug output', async () => {
    const outcome = await runOne(() => ({ action: 'pass', annotations: { topic: 'cats' }, debug: ['why'] }));
    expect(outcome.runs[0]).toMatchObject({ annotations: { topic: 'cats' }, debug: ['why'] });
  });

  it('leaves out debug output that is too long, and says so', async () => {
    const outcome = await runOne(() => ({ action: 'pass', debug: 'x'.repeat(70_000) }));
    expect(outcome.runs[0]).toMatchObject({ outcome: 'passed', debug: { left_out: expect.any(String) } });
  });

  it('does nothing where no plugin is to run', async () => {
    const { host } = preparePlugins([], []);
    const messages = [user('hello')];
    const outcome = await host.runRequest([], contextOf(), messages, {});
    expect(outcome.content).toBe(messages);
    expect(outcome.runs).toEqual([]);
  });
});

describe('what a plugin sees', () => {
  it('is the context, the configuration with its defaults, and headers without credentials', async () => {
    let seen: RequestInput<unknown> | undefined;
    const plugin: Plugin<unknown> = {
      name: 'one',
      configSchema: { type: 'object', properties: { level: { type: 'integer', default: 3 } } },
      request: (input) => {
        seen = input;
        return { action: 'pass' };
      },
    };
    const { host, plugins } = preparePlugins([plugin], [pluginEntry('one')]);
    const headers = {
      Authorization: 'Bearer k',
      cookie: 'a=b',
      'x-api-key': 'k',
      'User-Agent': 'curl',
      'x-stainless-lang': 'js',
    };
    const context = contextOf({ metadata: { task: 'chat' }, headers });
    await host.runRequest(plugins, context, [user('hello')], { model: 'support', temperature: 1 });
    expect(seen).toMatchObject({
      config: { level: 3 },
      requestId: 'log-1',
      endpoint: 'support',
      metadata: { task: 'chat' },
      messages: [user('hello')],
      requestBody: { model: 'support', temperature: 1 },
    });
    expect(seen?.headers).toEqual({ 'user-agent': 'curl', 'x-stainless-lang': 'js' });
  });

  it('does not include the inner levels of a body that consists of brackets alone', async () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    let text = '';
    const { host, plugins } = preparePlugins(
      [
        requestPlugin('one', (input) => {
          text = JSON.stringify(input.requestBody);
          return { action: 'pass' };
        }),
      ],
      [pluginEntry('one')],
    );
    const outcome = await host.runRequest(plugins, contextOf(), [user('hello')], { deep });
    expect(outcome.runs[0]?.outcome).toBe('passed');
    expect(text.length).toBeLessThan(1_000);
  });
});

describe('the response phase', () => {
  const choice = (text: string): Choice => ({
    index: 0,
    parts: [{ type: 'text', text }],
    finishReason: 'stop',
  });

  it('lets a plugin change the texts of an answer, and shows it the conversation', async () => {
    const plugin: Plugin<unknown> = {
      name: 'one',
      configSchema: anySchema,
      response: ({ messages }) => ({
        action: 'modify',
        content: [choice(`${messages.length} messages`)],
      }),
    };
    const { host, plugins } = preparePlugins([plugin], [pluginEntry('one')]);
    const outcome = await host.runResponse(plugins, contextOf(), [choice('hi')], [user('a'), user('b')], {});
    expect(outcome.content).toEqual([choice('2 messages')]);
  });

  it('runs a plugin that only handles windows on each text of a whole answer', async () => {
    const plugin: Plugin<unknown> = {
      name: 'one',
      configSchema: anySchema,
      stream: { window: 10 },
      responseWindow: ({ text, final, settled }) => {
        const start = text.indexOf('Anna');
        if (!final || settled !== text.length) return { action: 'reject', message: 'not whole' };
        if (start === -1) return { action: 'pass' };
        const span = { start, end: start + 4, replacement: '<PERSON>' };
        const finding = { type: 'PERSON', place: '', start, end: start + 4, score: 1 };
        return { action: 'replace', spans: [span], findings: [finding] };
      },
    };
    const { host, plugins } = preparePlugins([plugin], [pluginEntry('one')]);
    const answer: Choice = {
      index: 0,
      parts: [
        { type: 'text', text: 'I am Anna.' },
        { type: 'tool-call', id: 'c', name: 'mail', arguments: '{"to":"Anna"}' },
      ],
      finishReason: 'stop',
    };
    const outcome = await host.runResponse(plugins, contextOf(), [answer], [], {});
    expect(outcome.content[0]?.parts).toEqual([
      { type: 'text', text: 'I am <PERSON>.' },
      { type: 'tool-call', id: 'c', name: 'mail', arguments: '{"to":"<PERSON>"}' },
    ]);
    expect(outcome.runs[0]?.findings.map(({ place, start }) => ({ place, start }))).toEqual([
      { place: '/0/parts/0/text', start: 5 },
      { place: '/0/parts/1/arguments', start: 7 },
    ]);
  });
});

describe('a plugin that only handles windows of a stream', () => {
  const noting: Plugin<unknown> = {
    name: 'one',
    configSchema: anySchema,
    stream: { window: 10 },
    responseWindow: ({ text }) =>
      text === 'bad'
        ? { action: 'reject', message: 'no', debug: 'refused', annotations: { refused: true } }
        : { action: 'pass', debug: { text }, annotations: { [text]: true } },
  };
  const answer = (...texts: string[]): Choice => ({
    index: 0,
    parts: texts.map((text) => ({ type: 'text', text })),
    finishReason: 'stop',
  });

  it('has its notes on a plain answer in the log, for all texts together', async () => {
    const { host, plugins } = preparePlugins([noting], [pluginEntry('one')]);
    const outcome = await host.runResponse(plugins, contextOf(), [answer('a', 'b')], [], {});
    expect(outcome.runs[0]).toMatchObject({
      outcome: 'passed',
      debug: [{ text: 'a' }, { text: 'b' }],
      annotations: { a: true, b: true },
    });
  });

  it('has them where it rejects, too', async () => {
    const { host, plugins } = preparePlugins([noting], [pluginEntry('one')]);
    const outcome = await host.runResponse(plugins, contextOf(), [answer('a', 'bad')], [], {});
    expect(outcome.runs[0]).toMatchObject({
      outcome: 'rejected',
      debug: [{ text: 'a' }, 'refused'],
      annotations: { a: true, refused: true },
    });
  });
});

describe('what a stream needs', () => {
  const whole: Plugin<unknown> = {
    name: 'whole',
    configSchema: anySchema,
    response: () => ({ action: 'pass' }),
  };
  const window: Plugin<unknown> = {
    name: 'window',
    configSchema: anySchema,
    stream: { window: 10 },
    responseWindow: () => ({ action: 'pass' }),
  };
  const request = requestPlugin('request', () => ({ action: 'pass' }));

  it.each([
    ['none', ['request']],
    ['window', ['request', 'window']],
    ['whole', ['window', 'whole']],
    ['whole', ['whole']],
  ] as const)('is %s with %j', (need, names) => {
    const { host, plugins } = preparePlugins(
      [whole, window, request],
      names.map((name) => pluginEntry(name)),
    );
    expect(host.streamNeed(plugins)).toBe(need);
  });
});

describe('the log phase', () => {
  it('keeps what plugins wrote, with their tags once each, even if one of them failed', async () => {
    const tag = (name: string): Plugin<unknown> => ({
      name,
      configSchema: anySchema,
      log: () => ({ addTags: ['lang:en', name], annotations: { by: name } }),
    });
    const bad: Plugin<unknown> = {
      name: 'bad',
      configSchema: anySchema,
      log: () => {
        throw new Error('no');
      },
    };
    const { host, plugins } = preparePlugins(
      [tag('a'), bad, tag('b')],
      [pluginEntry('a'), pluginEntry('bad', { on_error: 'reject' }), pluginEntry('b')],
    );
    const result = await host.runLog(plugins, contextOf(), {
      _id: 'log-1',
      request: {},
      response: {},
    } as never);
    expect(result.addTags).toEqual(['lang:en', 'a', 'b']);
    expect(result.runs.map((run) => run.outcome)).toEqual(['passed', 'error', 'passed']);
    expect(result.runs[0]?.annotations).toEqual({ by: 'a' });
  });
});
