// Valid bodies that cost as much as their size allows, each just under a number of bytes.

/** A placeholder that is replaced by the model's name. */
const MODEL = 'MODEL';
const list = (count, make) => Array.from({ length: count }, (_, at) => make(at));
const members = (count, value = (at) => at) => Object.fromEntries(list(count, (at) => [`k${at}`, value(at)]));
const user = (content) => ({ role: 'user', content });
const nested = (levels) => `${'[{"a":'.repeat(levels / 2)}1${'}]'.repeat(levels / 2)}`;
const tool = (at, parameters = { type: 'object' }) => ({
  type: 'function',
  function: { name: `tool_${at}`, parameters },
});
const call = (at, args) => ({
  id: `call_${at}`,
  type: 'function',
  function: { name: 'tool_1', arguments: args },
});
const calling = (calls) => [
  user('Hello'),
  { role: 'assistant', content: null, tool_calls: calls },
  ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: 'done' })),
];

/** The largest body of this shape that stays under this many bytes. `make` returns the body for a count. */
function largest(bytes, make) {
  const text = (count) => {
    const body = make(count);
    return typeof body === 'string' ? body : JSON.stringify(body);
  };
  let count = 64;
  while (text(count * 2).length < bytes) count *= 2;
  for (let more = count / 2; more >= Math.max(1, count / 64); more /= 2) {
    if (text(Math.floor(count + more)).length < bytes) count = Math.floor(count + more);
  }
  return text(count);
}

const chat = (messages, more = {}) => ({ model: MODEL, messages, ...more });
const withText = (text) =>
  JSON.stringify(chat([user('Hello')], { extra: 'EXTRA' })).replace('"EXTRA"', () => text);

/** Requests of Chat Completions, each named after what it has many of. */
export const CHAT_REQUESTS = {
  'members of the body': (count) => chat([user('Hello')], members(count)),
  'members of a message': (count) => chat([{ ...user('Hello'), ...members(count) }]),
  'members with strange names': (count) =>
    chat([user('Hello')], {
      extra: members(count, () => ''),
      names: Object.fromEntries(list(count, (at) => [`Ann ${at}`, 1])),
    }),
  'numbers in a list': (count) => chat([user('Hello')], { extra: list(count, (at) => 100 + (at % 10)) }),
  'long numbers in a list': (count) =>
    chat([user('Hello')], { extra: list(count, (at) => 4_000_000_000 + at) }),
  'empty objects in a list': (count) => chat([user('Hello')], { extra: list(count, () => ({})) }),
  'short strings in a list': (count) => chat([user('Hello')], { extra: list(count, () => 'a') }),
  'stop sequences': (count) => chat([user('Hello')], { stop: list(count, (at) => `s${at}`) }),
  messages: (count) =>
    chat(list(count, (at) => (at % 2 === 0 ? user('Hi') : { role: 'assistant', content: 'Yes' }))),
  'parts of a message': (count) => chat([user(list(count, () => ({ type: 'text', text: 'a' })))]),
  'parts that nobody knows': (count) => chat([user(list(count, () => ({ type: 'x', y: 'a' })))]),
  'calls of tools': (count) => chat(calling(list(count, (at) => call(at, '{}')))),
  'members in arguments': (count) => chat(calling([call(1, JSON.stringify(members(count)))])),
  'names in arguments': (count) =>
    chat(calling([call(1, JSON.stringify(members(count, () => 'Ann Miller')))])),
  'numbers in arguments': (count) => chat(calling([call(1, JSON.stringify(list(count, () => 1)))])),
  tools: (count) => chat([user('Hello')], { tools: list(count, (at) => tool(at)) }),
  'members of a tool': (count) =>
    chat([user('Hello')], {
      tools: [tool(1, { type: 'object', properties: members(count, () => ({ type: 'string' })) })],
    }),
  'members of a schema': (count) =>
    chat([user('Hello')], {
      response_format: {
        type: 'json_schema',
        json_schema: {
          name: 'a',
          schema: { type: 'object', properties: members(Math.min(count, 6_500), () => ({ type: 'string' })) },
        },
      },
      extra: members(count),
    }),
  metadata: (count) =>
    chat([user('x'.repeat(count))], { metadata: members(Math.min(count, 4_000), (at) => `v${at}`) }),
  levels: (count) => withText(`[${list(Math.ceil(count / 500), () => nested(990)).join()}]`),
  'letters without a blank': (count) => chat([user('x'.repeat(count))]),
  words: (count) => chat([user('Ann Miller lives in Paris. '.repeat(count))]),
  addresses: (count) => chat([user(list(count, (at) => `a${at}@example.com`).join(' '))]),
  lines: (count) => chat([user('a\n'.repeat(count))]),
  escapes: (count) => JSON.stringify(chat([user('x')])).replace('"x"', `"${'\\u00e9'.repeat(count)}"`),
  'blanks between values': (count) => JSON.stringify(chat([user('x')])).replace('[', `[${' '.repeat(count)}`),
  'repeated keys': (count) => JSON.stringify(chat([user('x')])).replace('{', `{${'"k":1,'.repeat(count)}`),
};

export const MESSAGES_REQUESTS = {
  messages: (count) => ({
    max_tokens: 10,
    ...chat(list(count, (at) => (at % 2 === 0 ? user('Hi') : { role: 'assistant', content: 'Yes' }))),
  }),
  'parts of a message': (count) => ({
    max_tokens: 10,
    ...chat([user(list(count, () => ({ type: 'text', text: 'a' })))]),
  }),
  'members of an input': (count) => ({
    max_tokens: 10,
    ...chat([
      user('Hello'),
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'b', input: members(count) }] },
      user([{ type: 'tool_result', tool_use_id: 'a', content: 'done' }]),
    ]),
  }),
  tools: (count) => ({
    max_tokens: 10,
    ...chat([user('Hello')], {
      tools: list(count, (at) => ({ name: `tool_${at}`, input_schema: { type: 'object' } })),
    }),
  }),
  'numbers in a list': (count) => ({
    max_tokens: 10,
    ...chat([user('Hello')], { extra: list(count, () => 1) }),
  }),
};

export const RESPONSES_REQUESTS = {
  items: (count) => ({
    model: MODEL,
    input: list(count, (at) => (at % 2 === 0 ? user('Hi') : { role: 'assistant', content: 'Yes' })),
  }),
  'members in arguments': (count) => ({
    model: MODEL,
    input: [
      user('Hello'),
      { type: 'function_call', call_id: 'a', name: 'b', arguments: JSON.stringify(members(count)) },
      { type: 'function_call_output', call_id: 'a', output: 'done' },
    ],
  }),
  tools: (count) => ({
    model: MODEL,
    input: 'Hello',
    tools: list(count, (at) => ({ type: 'function', name: `tool_${at}`, parameters: { type: 'object' } })),
  }),
};

export const EMBEDDINGS_REQUESTS = {
  texts: (count) => ({ model: MODEL, input: list(count, () => 'a') }),
  'token numbers': (count) => ({ model: MODEL, input: list(count, () => 1) }),
};

const completion = (message, more = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1700000000,
  model: 'bench',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 200, completion_tokens: 180, total_tokens: 380 },
  ...more,
});

/** Answers of a model, each named after what it has many of. */
export const CHAT_ANSWERS = {
  'letters without a blank': (count) => completion({ content: 'x'.repeat(count) }),
  words: (count) => completion({ content: 'Ann Miller lives in Paris. '.repeat(count) }),
  'members of the answer': (count) => completion({ content: 'Hello' }, members(count)),
  'members of the message': (count) => completion({ content: 'Hello', ...members(count) }),
  'numbers in a list': (count) => completion({ content: 'Hello' }, { extra: list(count, () => 1) }),
  'short strings in a list': (count) => completion({ content: 'Hello' }, { extra: list(count, () => 'a') }),
  'calls of tools': (count) => completion({ content: null, tool_calls: list(count, (at) => call(at, '{}')) }),
  'members in arguments': (count) =>
    completion({ content: null, tool_calls: [call(1, JSON.stringify(members(count)))] }),
  'probabilities of tokens': (count) => {
    const answer = completion({ content: 'a'.repeat(count) });
    answer.choices[0].logprobs = {
      content: list(count, () => ({ token: 'a', logprob: -1, bytes: [97], top_logprobs: [] })),
    };
    return answer;
  },
  choices: (count) => ({
    ...completion({}),
    choices: list(count, (index) => ({
      index,
      message: { role: 'assistant', content: 'a' },
      finish_reason: 'stop',
    })),
  }),
  'numbers as JSON': (count) => completion({ content: JSON.stringify(list(count, (at) => at)) }),
  'members as JSON': (count) => completion({ content: JSON.stringify(members(count)) }),
};

const chunk = (delta, finish_reason = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const stream = (frames) => `${frames.join('')}${chunk({}, 'stop')}data: [DONE]\n\n`;

/** Streams that arrive in one chunk. */
export const CHAT_STREAMS = {
  frames: (count) => stream(list(count, () => chunk({ content: 'a ' }))),
  'frames of calls': (count) =>
    stream([
      chunk({
        tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'b', arguments: '' } }],
      }),
      ...list(count, () => chunk({ tool_calls: [{ index: 0, function: { arguments: ' ' } }] })),
    ]),
  'letters of one frame': (count) => stream([chunk({ content: 'x'.repeat(count) })]),
  'words of one frame': (count) => stream([chunk({ content: 'Ann Miller lives in Paris. '.repeat(count) })]),
  'members of one frame': (count) => stream([chunk({ content: 'Hello', ...members(count) })]),
  'numbers in one frame': (count) => stream([chunk({ content: 'Hello', extra: list(count, () => 1) })]),
  'calls in one frame': (count) =>
    stream([
      chunk({
        tool_calls: list(count, (index) => ({
          index,
          id: `c${index}`,
          type: 'function',
          function: { name: 'b', arguments: '{}' },
        })),
      }),
    ]),
  comments: (count) => stream(list(count, () => ':\n\n')),
};

/** Schemas, each with outputs that take long to validate. */
const VALIDATED = {
  'items that must differ': [{ type: 'array', uniqueItems: true }, (count) => list(count, (at) => at)],
  'objects that must differ': [
    { type: 'array', uniqueItems: true },
    (count) => list(count, (at) => ({ at })),
  ],
  'items of a pattern': [
    { type: 'array', items: { type: 'string', pattern: '^(a|b)*$' } },
    (count) => list(count, () => 'ab'),
  ],
  'letters of a pattern': [
    { type: 'array', items: { type: 'string', pattern: '^(a|b)*$' } },
    (count) => ['ab'.repeat(count)],
  ],
  'members of a pattern': [
    { type: 'object', patternProperties: { '^k[0-9]+$': { type: 'number' } }, additionalProperties: false },
    (count) => members(count),
  ],
  references: [
    {
      $ref: '#/$defs/node',
      $defs: { node: { anyOf: [{ type: 'number' }, { type: 'array', items: { $ref: '#/$defs/node' } }] } },
    },
    (count) => list(count, () => [1]),
  ],
  numbers: [{ type: 'array', items: { type: 'number' } }, (count) => list(count, () => 1)],
};

/** Functions by the names of the shapes. Each creates its body when it is first called, because some take a while. */
export function bodiesOf(shapes, bytes) {
  return Object.fromEntries(
    Object.entries(shapes).map(([name, make]) => [name, once(() => largest(bytes, make))]),
  );
}

export function outputsOf(bytes) {
  return Object.fromEntries(
    Object.entries(VALIDATED).map(([name, [schema, make]]) => [
      name,
      { schema, make: once(() => answerOf(largest(bytes, make))) },
    ]),
  );
}

export function answerOf(output) {
  return JSON.stringify(completion({ content: output }));
}

/** The body with the name of this model in it. */
export function asking(body, model) {
  return body.replace('"MODEL"', JSON.stringify(model));
}

function once(make) {
  let made;
  return () => {
    made ??= make();
    return made;
  };
}
