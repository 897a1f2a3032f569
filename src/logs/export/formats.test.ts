import { describe, expect, it } from 'vitest';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { LogRecord, QualityRating } from '../../core/log-record.js';
import { atOnce } from '../../core/pacing/steps.js';
import { improvementPair, rivalPair } from './dpo.js';
import { ktoLine } from './kto.js';
import type { RatedLog } from './rated-log.js';
import { sftLine } from './sft.js';

/*
 * The rules of those who read the files, each with where it is written:
 * SFT: OpenAI, "Supervised fine-tuning", section "Formatting your data", and OpenAI Cookbook, "Data preparation and analysis for chat model fine-tuning"
 * DPO: OpenAI, "Direct preference optimization", section "Data format" (developers.openai.com/api/docs/guides)
 * TRL: Hugging Face TRL, "Dataset formats and types" (huggingface.co/docs/trl/dataset_formats)
 */
interface Rule {
  source: 'SFT' | 'DPO' | 'TRL';
  rule: string;
  holds(line: JsonObject): boolean;
}

const ROLES = ['system', 'user', 'assistant', 'tool'];
const MESSAGE_KEYS = ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'weight'];

const messagesOf = (value: JsonValue | undefined) => (Array.isArray(value) ? value.filter(isJsonObject) : []);
const isConversation = (value: JsonValue | undefined) => {
  const messages = messagesOf(value);
  return (
    messages.length > 0 &&
    messages.every(({ role, content, tool_calls }) => {
      const hasContent = typeof content === 'string' || Array.isArray(content) || Array.isArray(tool_calls);
      return ROLES.includes(String(role)) && hasContent;
    })
  );
};
const isOneAnswer = (value: JsonValue | undefined) => {
  const [only, ...more] = messagesOf(value);
  return only?.role === 'assistant' && more.length === 0;
};
const hasOnly = (line: JsonObject, ...keys: string[]) =>
  Object.keys(line).every((key) => keys.includes(key) || key === 'provenance');

const RULES: Record<'sft-openai' | 'sft-trl' | 'dpo-openai' | 'dpo-trl' | 'kto', Rule[]> = {
  'sft-openai': [
    {
      source: 'SFT',
      rule: 'has messages with role and content',
      holds: (line) => isConversation(line.messages),
    },
    {
      source: 'SFT',
      rule: 'ends with the answer',
      holds: (line) => messagesOf(line.messages).at(-1)?.role === 'assistant',
    },
    {
      source: 'SFT',
      rule: 'has no key that it does not know',
      holds: (line) =>
        hasOnly(line, 'messages', 'tools', 'parallel_tool_calls') &&
        messagesOf(line.messages).every((message) =>
          Object.keys(message).every((key) => MESSAGE_KEYS.includes(key)),
        ),
    },
    {
      source: 'SFT',
      rule: 'has tools where it calls some',
      holds: (line) => !JSON.stringify(line.messages).includes('tool_calls') || Array.isArray(line.tools),
    },
  ],
  'sft-trl': [
    {
      source: 'TRL',
      rule: 'is a conversational language modeling line',
      holds: (line) => isConversation(line.messages) && hasOnly(line, 'messages', 'tools'),
    },
  ],
  'dpo-openai': [
    {
      source: 'DPO',
      rule: 'has an input with messages',
      holds: ({ input }) => isJsonObject(input) && isConversation(input.messages),
    },
    { source: 'DPO', rule: 'has one preferred answer', holds: (line) => isOneAnswer(line.preferred_output) },
    { source: 'DPO', rule: 'has one other answer', holds: (line) => isOneAnswer(line.non_preferred_output) },
    { source: 'DPO', rule: 'is text only', holds: (line) => !JSON.stringify(line).includes('image_url') },
    {
      source: 'DPO',
      rule: 'has no other keys',
      holds: (line) => hasOnly(line, 'input', 'preferred_output', 'non_preferred_output'),
    },
  ],
  'dpo-trl': [
    {
      source: 'TRL',
      rule: 'is a conversational preference line with an explicit prompt',
      holds: (line) =>
        isConversation(line.prompt) &&
        isOneAnswer(line.chosen) &&
        isOneAnswer(line.rejected) &&
        hasOnly(line, 'prompt', 'chosen', 'rejected', 'tools'),
    },
  ],
  kto: [
    {
      source: 'TRL',
      rule: 'is a conversational unpaired preference line',
      holds: (line) =>
        isConversation(line.prompt) &&
        isOneAnswer(line.completion) &&
        typeof line.label === 'boolean' &&
        hasOnly(line, 'prompt', 'completion', 'label', 'tools'),
    },
  ],
};

const CALL = { id: 'c', type: 'function', function: { name: 'find', arguments: '{}' } };
const TOOLS = [
  { type: 'function', function: { name: 'find', parameters: { type: 'object', properties: {} } } },
];
const user = (content: JsonValue) => ({ role: 'user', content });
const picture = { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'low' } };
const REQUESTS: Record<string, JsonObject> = {
  plain: { messages: [user('Hi')] },
  developer: {
    messages: [{ role: 'developer', content: 'Be short.', name: 'ops' }, user('Hi')],
    logprobs: true,
    n: 2,
  },
  parts: {
    messages: [
      user([
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b' },
      ]),
    ],
    stream: true,
  },
  picture: { messages: [user([{ type: 'text', text: 'a' }, picture])] },
  tools: {
    messages: [
      user('Hi'),
      { role: 'assistant', content: null, tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'c', content: 'found' },
    ],
    tools: TOOLS,
    tool_choice: 'auto',
  },
};
const ANSWERS: Record<string, JsonObject> = {
  text: { role: 'assistant', content: 'Hello.', refusal: null, annotations: [] },
  call: { role: 'assistant', content: null, tool_calls: [CALL] },
  both: { role: 'assistant', content: 'Wait.', reasoning_content: 'Hm.', tool_calls: [CALL] },
};

function log(request: JsonObject, message: JsonObject, score: number, improvement?: string): RatedLog {
  const record = {
    _id: 'log',
    api: 'openai.chat',
    status: 'success',
    request: { model: 'support', ...request, ...('tool_calls' in message ? { tools: TOOLS } : {}) },
    response: {
      id: 'x',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message, logprobs: null, finish_reason: 'stop' }],
    },
    score,
    quality_rating: null as QualityRating | null,
    tags: ['a'],
  } as unknown as LogRecord;
  const signal = {
    id: 's',
    score,
    weight: 1,
    improvement: improvement === undefined ? null : { role: 'assistant', content: improvement },
    signal_name: null,
    signal_source: 'user',
    signal_type: 'explicit',
  } as const;
  return { record, signals: [signal] };
}

describe.each(Object.keys(REQUESTS))('a log of a request with %s', (name) => {
  const request = REQUESTS[name] as JsonObject;
  describe.each(Object.keys(ANSWERS))('and an answer with %s', (kind) => {
    const good = log(request, ANSWERS[kind] as JsonObject, 1);
    const bad = log(request, { role: 'assistant', content: 'Go away.' }, -1);
    const improved = log(request, ANSWERS[kind] as JsonObject, -1, 'Hello, friend.');
    const lines: [keyof typeof RULES, JsonObject | undefined][] = [
      ['sft-openai', atOnce(sftLine(good, 'openai', false))],
      ['sft-openai', atOnce(sftLine(improved, 'openai', false))],
      ['sft-trl', atOnce(sftLine(good, 'trl', false))],
      ['dpo-openai', atOnce(improvementPair(improved, 'openai'))],
      ['dpo-openai', atOnce(rivalPair(good, bad, 'openai'))],
      ['dpo-trl', atOnce(improvementPair(improved, 'trl'))],
      ['dpo-trl', atOnce(rivalPair(good, bad, 'trl'))],
      ['kto', atOnce(ktoLine(good))],
      ['kto', atOnce(ktoLine(bad))],
    ];

    it.each(lines)('gives a line for %s that its readers accept', (format, line) => {
      // What cannot be said in a format gives no line.
      if (name === 'picture' && format === 'dpo-openai') return expect(line).toBeUndefined();
      const broken = RULES[format].filter(({ holds }) => !holds(line as JsonObject)).map(({ rule }) => rule);
      expect(broken).toEqual([]);
    });
  });
});

describe('gives no line of an export', () => {
  it.each([
    ['from a bad answer', () => atOnce(sftLine(log(REQUESTS.plain!, ANSWERS.text!, -1), 'openai', true))],
    [
      'from an answer without words',
      () => atOnce(sftLine(log(REQUESTS.plain!, { role: 'assistant', content: '' }, 1), 'openai', false)),
    ],
    [
      'from two equal answers',
      () => atOnce(improvementPair(log(REQUESTS.plain!, ANSWERS.text!, -1, 'Hello.'), 'openai')),
    ],
    ['from a request of no known shape', () => atOnce(ktoLine(log({ messages: 'x' }, ANSWERS.text!, 1)))],
    ['from an answer that nobody judged', () => atOnce(ktoLine(log(REQUESTS.plain!, ANSWERS.text!, 0)))],
  ])('%s', (_case, line) => {
    expect(line()).toBeUndefined();
  });
});

describe('a line of a long conversation', () => {
  const messages = Array.from({ length: 20_000 }, (_, turn) => ({
    role: turn % 2 === 0 ? 'user' : 'assistant',
    content: `Turn ${turn}`,
  }));
  const improved = log({ messages }, ANSWERS.text!, -1, 'Hello, friend.');

  it.each([
    ['sft', sftLine(improved, 'openai', false)],
    ['dpo', improvementPair(improved, 'openai')],
    ['kto', ktoLine(improved)],
  ])('for %s is made in many steps, so that other work has its turn', (_kind, line) => {
    let steps = 0;
    while (!line.next().done) steps++;
    expect(steps).toBeGreaterThan(100);
  });
});
