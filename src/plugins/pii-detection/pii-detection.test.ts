import { describe, expect, it } from 'vitest';
import { logRecord } from '../../../test/support/log-record.js';
import type { Choice } from '../../core/answer.js';
import { systemClock } from '../../core/clock.js';
import type { JsonObject } from '../../core/json.js';
import type { LogRecord } from '../../core/log-record.js';
import type { Message, Part } from '../../core/message.js';
import type { Phase } from '../../core/settings.js';
import { createPluginHost } from '../runtime/host.js';
import { piiDetection } from './index.js';

const ADDRESS = 'anna.schmidt@example.org';
/** Too long to be scanned while the end of an answer waits. */
const ANSWER = 'This is fine with me. '.repeat(100);
const DEFAULT_MESSAGE = 'Request contains personally identifiable information and cannot be processed.';

const context = {
  requestId: 'log-1',
  endpoint: 'support',
  metadata: {},
  headers: {},
  signal: new AbortController().signal,
};

const host = createPluginHost({ plugins: [piiDetection], clock: systemClock });

function check(config: JsonObject, phases: Phase[] = []) {
  return host.prepare([
    {
      plugin: 'pii_detection',
      phases,
      config,
      timeout_ms: 10_000,
      on_error: 'reject',
      isolate: false,
      mode: 'enforce' as const,
      sample: 1,
    },
  ]);
}

function prepare(config: JsonObject, phases: Phase[] = []) {
  const result = check(config, phases);
  if ('mistakes' in result) throw new Error(JSON.stringify(result.mistakes));
  return result.plugins;
}

function userText(text: string): Message {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

function runOn(config: JsonObject, ...messages: Message[]) {
  return host.runRequest(prepare(config), context, messages, {});
}

describe('a file whose bytes cannot be masked', () => {
  const html = Buffer.from(`<html><body><p>Write to ${ADDRESS}</p></body></html>`).toString('base64');
  const message: Message = {
    role: 'user',
    parts: [{ type: 'document', source: { kind: 'base64', mediaType: 'text/html', data: html } }],
  };

  it('is read where the guard is configured so, and rejected for its content, even by a guard that masks', async () => {
    for (const settings of [{}, { reject_on_detection: false, mask: true }] as JsonObject[]) {
      const outcome = await runOn({ read_files: true, ...settings }, message);
      expect(outcome.rejection).toMatchObject({ clientCode: 'pii_detected', status: 400 });
      expect(outcome.runs[0]!.findings).toMatchObject([{ type: 'EMAIL_ADDRESS', place: '/0/parts/0/file' }]);
    }
    expect((await runOn({}, message)).rejection).toBeUndefined();
  });

  it('is an error of the guard where it cannot be read', async () => {
    const data = Buffer.from(`%PDF-1.4 ${'x'.repeat(200)}`).toString('base64');
    const broken: Message = {
      role: 'user',
      parts: [{ type: 'document', source: { kind: 'base64', mediaType: 'application/pdf', data } }],
    };
    const outcome = await runOn({ read_files: true }, broken);
    expect(outcome.rejection?.status).toBe(413);
  });
});

describe('pii_detection on a request', () => {
  it('rejects with its message, code and status, and reports where but not what', async () => {
    const outcome = await runOn({}, userText('hello'), userText(`I am ${ADDRESS}`));
    expect(outcome.rejection).toMatchObject({
      clientCode: 'pii_detected',
      status: 400,
      message: DEFAULT_MESSAGE,
    });
    const [run] = outcome.runs;
    expect(run?.findings).toEqual([
      { type: 'EMAIL_ADDRESS', place: '/1/parts/0/text', start: 5, end: 29, score: 1 },
    ]);
    expect(JSON.stringify(run)).not.toContain('anna');
  });

  it('mentions the answer where it rejects one, in its default message only', async () => {
    const choices = [{ index: 0, parts: [{ type: 'text' as const, text: ADDRESS }], finishReason: null }];
    const said = async (config: JsonObject) =>
      (await host.runResponse(prepare(config), context, choices, [], {})).rejection?.message;
    expect(await said({})).toBe(
      'Answer contains personally identifiable information and cannot be processed.',
    );
    expect(await said({ rejection_message: 'Request contains no.' })).toBe('Request contains no.');
  });

  it("rejects with the operator's message", async () => {
    const outcome = await runOn({ rejection_message: 'No addresses here.' }, userText(ADDRESS));
    expect(outcome.rejection?.message).toBe('No addresses here.');
  });

  it('lets a request without findings pass', async () => {
    const outcome = await runOn({}, userText('The order is late.'));
    expect(outcome.rejection).toBeUndefined();
    expect(outcome.runs).toMatchObject([{ outcome: 'passed', findings: [] }]);
  });

  it('notes findings and lets the request pass where it is not to reject', async () => {
    const outcome = await runOn({ reject_on_detection: false }, userText(ADDRESS));
    expect(outcome).toMatchObject({ modified: false, content: [userText(ADDRESS)] });
    expect(outcome.runs).toMatchObject([{ outcome: 'passed', findings: [{ type: 'EMAIL_ADDRESS' }] }]);
  });

  it('replaces findings by their type where it is to mask', async () => {
    const config = { reject_on_detection: false, mask: true };
    const outcome = await runOn(config, userText(`Write to ${ADDRESS}, or to ${ADDRESS}.`));
    expect(outcome.content).toEqual([userText('Write to <EMAIL_ADDRESS>, or to <EMAIL_ADDRESS>.')]);
    expect(outcome.runs[0]?.outcome).toBe('modified');
  });

  const places: [string, Part, string, Part][] = [
    ['a text', { type: 'text', text: ADDRESS }, '/0/parts/0/text', { type: 'text', text: '<EMAIL_ADDRESS>' }],
    [
      'reasoning',
      { type: 'reasoning', text: ADDRESS },
      '/0/parts/0/text',
      { type: 'reasoning', text: '<EMAIL_ADDRESS>' },
    ],
    [
      'a refusal',
      { type: 'refusal', text: ADDRESS },
      '/0/parts/0/text',
      { type: 'refusal', text: '<EMAIL_ADDRESS>' },
    ],
    [
      'arguments of a tool call',
      { type: 'tool-call', id: 'c', name: 'mail', arguments: `{"to":"${ADDRESS}"}` },
      '/0/parts/0/arguments',
      { type: 'tool-call', id: 'c', name: 'mail', arguments: '{"to":"<EMAIL_ADDRESS>"}' },
    ],
    [
      'the result of a tool',
      { type: 'tool-result', callId: 'c', parts: [{ type: 'text', text: ADDRESS }] },
      '/0/parts/0/parts/0/text',
      { type: 'tool-result', callId: 'c', parts: [{ type: 'text', text: '<EMAIL_ADDRESS>' }] },
    ],
    [
      'a document given as text',
      { type: 'document', source: { kind: 'text', text: ADDRESS } },
      '/0/parts/0/source/text',
      { type: 'document', source: { kind: 'text', text: '<EMAIL_ADDRESS>' } },
    ],
  ];

  it.each(places)('checks %s', async (_, part, place, masked) => {
    const message: Message = { role: 'assistant', parts: [part] };
    const outcome = await runOn({ reject_on_detection: false, mask: true }, message);
    expect(outcome.runs[0]?.findings).toMatchObject([{ type: 'EMAIL_ADDRESS', place }]);
    expect(outcome.content).toEqual([{ role: 'assistant', parts: [masked] }]);
  });

  it('checks a long conversation too', async () => {
    const filler = userText('The weather is fine and the report is done. '.repeat(500));
    const outcome = await runOn({}, filler, filler, userText(ADDRESS));
    expect(outcome.rejection?.clientCode).toBe('pii_detected');
    expect(outcome.runs[0]?.findings).toMatchObject([{ place: '/2/parts/0/text' }]);
  });
});

describe('the configuration of pii_detection', () => {
  it.each([
    ['entities', { entities: ['PHONE_NUMBER'] }, ADDRESS],
    ['allow_list', { allow_list: [ADDRESS.toUpperCase()] }, ADDRESS],
    ['allow_list with a pattern', { allow_list: ['/\\w+\\.\\w+@example\\.org/'] }, ADDRESS],
  ])('leads to fewer findings with %s', async (_, config, text) => {
    const { runs } = await runOn(config, userText(text));
    expect(runs[0]?.findings).toEqual([]);
  });

  it('leads to more findings with a lower score_threshold and with context words', async () => {
    const entities = ['US_PASSPORT'];
    const text = userText('Travel paper 912803456');
    const findings = async (config: JsonObject) =>
      (await runOn({ entities, ...config }, text)).runs[0]?.findings.length;
    expect(await findings({})).toBe(0);
    expect(await findings({ score_threshold: 0.01 })).toBe(1);
    expect(await findings({ score_threshold: 0.4, context: ['paper'] })).toBe(1);
  });

  it('makes denied terms findings, whatever is allowed', async () => {
    const config = { deny_list: ['Bluebird'], allow_list: ['bluebird'], entities: ['PHONE_NUMBER'] };
    const { runs } = await runOn(config, userText('Project bluebird is secret.'));
    expect(runs[0]?.findings).toMatchObject([{ type: 'DENY_LIST', score: 1, start: 8, end: 16 }]);
  });

  it('can ask for explanations, which do not contain the text', async () => {
    const { runs } = await runOn({ return_decision_process: true }, userText(ADDRESS));
    expect(runs[0]?.debug).toMatchObject({
      decisions: [{ entity_type: 'EMAIL_ADDRESS', place: '/0/parts/0/text', recognizer: expect.any(String) }],
    });
    expect(JSON.stringify(runs[0]?.debug)).not.toContain('anna');
  });

  it('leads to a note where a language has no model', async () => {
    const { runs } = await runOn({ language: 'ja', reject_on_detection: false }, userText(ADDRESS));
    expect(runs[0]).toMatchObject({
      findings: [{ type: 'EMAIL_ADDRESS' }],
      debug: { language: expect.stringContaining("'ja'") },
    });
  });

  it.each([
    ['/plugins/0/config/mask', { mask: true }, /reject_on_detection: false/],
    ['/plugins/0/config/score_threshold', { score_threshold: 1.5 }, /<= 1/],
    ['/plugins/0/config/entities/0', { entities: ['FACE'] }, /PERSON/],
    ['/plugins/0/config/color', { color: 'red' }, /not known/],
    ['/plugins/0/config/allow_list/1', { allow_list: ['fine', '/(/'] }, /pattern/],
    ['/plugins/0/config/presidio_url', { engine: 'presidio' }, /missing/],
  ])('is refused with the mistake at %s', (path, config, message) => {
    expect(check(config)).toEqual({
      mistakes: expect.arrayContaining([{ path, message: expect.stringMatching(message) }]),
    });
  });

  it('may have null in place of a list', async () => {
    const outcome = await runOn({ allow_list: null, deny_list: null, entities: null }, userText(ADDRESS));
    expect(outcome.rejection).toBeDefined();
  });
});

describe('pii_detection on an answer', () => {
  const answer = (text: string): Choice => ({
    index: 0,
    parts: [{ type: 'text', text }],
    finishReason: 'stop',
  });

  it('masks it', async () => {
    const plugins = prepare({ reject_on_detection: false, mask: true });
    const outcome = await host.runResponse(plugins, context, [answer(`I am ${ADDRESS}`)], [], {});
    expect(outcome.content).toEqual([answer('I am <EMAIL_ADDRESS>')]);
  });

  it('rejects it', async () => {
    const outcome = await host.runResponse(prepare({}), context, [answer(ADDRESS)], [], {});
    expect(outcome.rejection?.clientCode).toBe('pii_detected');
  });

  it.each([
    ['window', {}],
    ['window', { deny_list: ['Bluebird', '/[0-9]{4}-x/'] }],
    ['whole', { deny_list: ['/secret.*/'] }],
    ['whole', { engine: 'presidio', presidio_url: 'http://127.0.0.1:1' }],
  ])('needs a %s of a stream with %j', (need, config) => {
    expect(host.streamNeed(prepare(config, ['response']))).toBe(need);
  });
});

describe('pii_detection on the log', () => {
  it('notes findings of request and answer, in what people and models wrote', async () => {
    const record: Partial<LogRecord> = {
      api: 'openai.chat',
      request: {
        model: 'support',
        user: ADDRESS,
        messages: [
          { role: 'system', content: 'Be kind.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: ADDRESS },
              { type: 'image_url', image_url: { url: `https://example.com/?of=${ADDRESS}` } },
            ],
          },
        ],
      },
      response: {
        id: ADDRESS,
        choices: [
          {
            message: {
              role: 'assistant',
              content: null,
              tool_calls: [{ id: 'c', function: { name: 'f', arguments: `{"a":"${ADDRESS}"}` } }],
            },
          },
        ],
      },
    };
    const { runs } = await host.runLog(prepare({}, ['log']), context, record as LogRecord);
    expect(runs[0]?.outcome).toBe('passed');
    expect(runs[0]?.findings.map((finding) => finding.place)).toEqual([
      '/request/messages/1/content/0/text',
      '/request/messages/1/content/1/image_url/url',
      '/response/choices/0/message/tool_calls/0/function/arguments',
    ]);
  });

  it('knows the findings of texts that it saw in request and answer, and of few others', async () => {
    const plugins = prepare({ reject_on_detection: false });
    const record = logRecord({
      request: { model: 'support', messages: [{ role: 'user', content: `I am ${ADDRESS}.` }] },
      response: { choices: [{ message: { role: 'assistant', content: ANSWER } }] },
    });
    const messages = [userText(`I am ${ADDRESS}.`)];
    await host.runRequest(plugins, context, messages, {});
    expect(host.runLogAtOnce(plugins, context, record)).toBeUndefined();
    const parts: Part[] = [{ type: 'text', text: ANSWER }];
    const choices: Choice[] = [{ index: 0, parts, finishReason: 'stop' }];
    await host.runResponse(plugins, context, choices, messages, {});
    const known = host.runLogAtOnce(plugins, context, record);
    const looked = await host.runLog(plugins, context, record);
    const withoutTime = ({ runs }: typeof looked) => runs.map(({ duration_ms: _ms, ...run }) => run);
    expect(known && withoutTime(known)).toEqual(withoutTime(looked));
    expect(known?.runs[0]?.findings).toMatchObject([{ place: '/request/messages/0/content' }]);
  });

  it('does not look up very many texts at once, though it saw them all', async () => {
    const plugins = prepare({ reject_on_detection: false });
    const turns = Array.from({ length: 2_000 }, (_, turn) => `turn ${turn % 7}`);
    await host.runRequest(plugins, context, turns.map(userText), {});
    const recordOf = (texts: string[]) => {
      const messages = texts.map((content) => ({ role: 'user', content }));
      return logRecord({ request: { model: 'support', messages }, response: null });
    };
    expect(host.runLogAtOnce(plugins, context, recordOf(turns.slice(0, 300)))).toBeDefined();
    expect(host.runLogAtOnce(plugins, context, recordOf(turns))).toBeUndefined();
  });

  it('knows the findings of a stream that it saw as a whole', async () => {
    const plugins = prepare({ reject_on_detection: false });
    const response = { choices: [{ message: { role: 'assistant', content: `Ask ${ADDRESS}.` } }] };
    const record = logRecord({ request: null, response });
    const guard = host.openStreamGuard(plugins, context);
    const channel = { kind: 'text', choice: 0, part: 0 } as const;
    await guard.push(channel, 'Ask ');
    await guard.flush(channel, `${ADDRESS}.`);
    expect(host.runLogAtOnce(plugins, context, record)?.runs[0]?.findings).toHaveLength(1);
  });

  it('finds nothing in a log without messages', async () => {
    const record = { api: 'openai.chat', request: null, response: null } as LogRecord;
    const { runs } = await host.runLog(prepare({}, ['log']), context, record);
    expect(runs).toMatchObject([{ outcome: 'passed', findings: [] }]);
  });
});
