/**
 * The number of different requests. Each is what a chat client sends: a conversation of about a kilobyte, and four
 * metadata keys.
 */
const BODIES = 400;

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string', maxLength: 100 }, text: { type: 'string' } },
  required: ['name', 'text'],
  additionalProperties: false,
};

const WORDS =
  'the model should answer in plain words and say where each figure comes from so that a reader can check it before the report goes to the board next week while our team looks at costs of storage and at requests that took longer than they did in spring'.split(
    ' ',
  );

/** The length of the text in a report. */
const REPORT_CHARACTERS = 1_500;
/** The number of texts in one request for embeddings. */
const TEXTS = 100;

/** Requests for the embeddings of a hundred texts each. */
export function embeddingBodies(endpoint) {
  return Array.from({ length: 40 }, (_, number) => {
    const input = Array.from({ length: TEXTS }, (_, text) =>
      Array.from({ length: 30 }, (_, at) => WORDS[(number * 7 + text * 13 + at) % WORDS.length]).join(' '),
    );
    const metadata = { user: `user-${number % 97}`, session: `s-${number}`, tier: 'free', app: 'search' };
    return JSON.stringify({ model: endpoint, input, encoding_format: 'base64', metadata });
  });
}

/** The number of conversations of a coding agent, and the requests in each. */
const AGENTS = 20;
const TURNS = 20;
const TOOLS = 30;

/** Prose whose words differ from number to number. */
function proseOf(number, characters) {
  let text = `${number}:`;
  for (let at = number; text.length < characters; at += 1 + (number % 5))
    text += ` ${WORDS[at % WORDS.length]}`;
  return text;
}

/**
 * Streamed requests of coding agents with thirty tools, which grow from 37 to 64 KB over twenty turns. The
 * conversations run side by side. A request repeats all earlier turns of its conversation and adds one.
 */
export function agentBodies(endpoint) {
  const tools = Array.from({ length: TOOLS }, (_, number) => ({
    type: 'function',
    function: {
      name: `tool_${number}`,
      description: proseOf(number, 700),
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string', description: proseOf(number, 80) },
          limit: { type: 'integer' },
        },
        required: ['path'],
      },
    },
  }));
  const conversations = Array.from({ length: AGENTS }, (_, agent) => [
    { role: 'system', content: proseOf(1, 9_000) },
    { role: 'user', content: proseOf(agent * 1_000, 300) },
  ]);
  return Array.from({ length: TURNS }, (_, turn) =>
    conversations.map((messages, agent) => {
      if (turn > 0) messages.push(...agentTurn(agent * 1_000 + turn));
      const metadata = { user: `user-${agent}`, session: `s-${agent}`, tier: 'paid', app: 'code' };
      return JSON.stringify({ model: endpoint, stream: true, messages, tools, metadata });
    }),
  ).flat();
}

function agentTurn(number) {
  const call = { name: 'tool_1', arguments: JSON.stringify({ path: proseOf(number, 60) }) };
  return [
    {
      role: 'assistant',
      content: proseOf(number + 100_000, 120),
      tool_calls: [{ id: `call_${number}`, type: 'function', function: call }],
    },
    { role: 'tool', tool_call_id: `call_${number}`, content: proseOf(number + 200_000, 1_000) },
  ];
}

/** Like `requestBodies`, but with texts that no request has had before: they are numbered from `first` on. */
export function freshBodies(endpoint, first, count) {
  return Array.from({ length: count }, (_, index) => {
    const number = first + index;
    const turn = (role, kind, characters) => ({ role, content: proseOf(number * 4 + kind, characters) });
    const messages = [
      turn('system', 0, 250),
      turn('user', 1, 250),
      turn('assistant', 2, 330),
      turn('user', 3, 180),
    ];
    const metadata = { user: `user-${number % 97}`, session: `s-${number}`, tier: 'free', app: 'chat' };
    return JSON.stringify({ model: endpoint, messages, temperature: 0.2, max_tokens: 400, metadata });
  });
}

/**
 * The bodies for one endpoint, the same ones in each call. `wish` tells the benchmark's model what to do, such as
 * `events=100`.
 */
export function requestBodies(endpoint, { stream, schema, wish = '' }) {
  return Array.from({ length: BODIES }, (_, number) => {
    const text = (turn, words) =>
      Array.from(
        { length: words },
        (_, at) => WORDS[(number * 7 + turn * 13 + at * (1 + (number % 5))) % WORDS.length],
      ).join(' ');
    return JSON.stringify({
      model: endpoint,
      messages: [
        { role: 'system', content: `You help the people of department ${number % 12}. ${text(0, 40)}` },
        { role: 'user', content: `${text(1, 45)}?` },
        { role: 'assistant', content: `${text(2, 60)}.` },
        { role: 'user', content: `Question ${number}: ${text(3, 30)}?${wish}` },
      ],
      temperature: 0.2,
      max_tokens: 400,
      metadata: {
        user: `user-${number % 97}`,
        session: `s-${number}`,
        tier: number % 3 ? 'free' : 'paid',
        app: 'chat',
      },
      ...(schema
        ? {
            response_format: {
              type: 'json_schema',
              json_schema: { name: 'answer', strict: true, schema: SCHEMA },
            },
          }
        : {}),
      ...(stream ? { stream: true } : {}),
    });
  });
}

const SENTENCES = [
  'Call Maria Jensen in Aarhus at +45 20 12 34 56 before the report goes to the board.',
  'The invoice went to jens.holm@example.com, and his card 4111 1111 1111 1111 was refused.',
  'Our team looks at costs of storage and at requests that took longer than they did in spring.',
  'A reader should be able to check each figure, so say where it comes from and who wrote it down.',
];

/** A text with personal data of at most `characters` characters. Each number gives another text. */
export function personalText(number, characters) {
  const sentences = [`Case ${number}.`];
  for (let length = 0, at = number; ; at += 1 + (number % 3)) {
    const sentence = SENTENCES[at % SENTENCES.length];
    length += sentence.length + 1;
    if (length > characters) return sentences.join(' ');
    sentences.push(sentence);
  }
}

const text = (maxLength) => ({ type: 'string', maxLength });
/** The schema of what the benchmark's model "report" answers: the report of a case. */
const REPORT_SCHEMA = {
  type: 'object',
  properties: {
    title: text(120),
    priority: { enum: ['low', 'normal', 'high'] },
    people: {
      type: 'array',
      maxItems: 20,
      items: {
        type: 'object',
        properties: { name: text(80), role: text(80), emails: { type: 'array', items: text(120) } },
        required: ['name', 'role', 'emails'],
        additionalProperties: false,
      },
    },
    steps: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          within_days: { type: 'integer', minimum: 0 },
          what: text(200),
          done: { type: 'boolean' },
        },
        required: ['within_days', 'what', 'done'],
        additionalProperties: false,
      },
    },
    summary: text(10_000),
  },
  required: ['title', 'priority', 'people', 'steps', 'summary'],
  additionalProperties: false,
};

/**
 * A request for the report of a case: a text with personal data of at most `characters` characters. Each number gives
 * another text.
 */
export function reportBody(endpoint, number, characters) {
  return JSON.stringify({
    model: endpoint,
    messages: [{ role: 'user', content: personalText(number, characters) }],
    max_tokens: 800,
    metadata: { user: `user-${number % 97}`, session: `s-${number}`, app: 'cases' },
    response_format: {
      type: 'json_schema',
      json_schema: { name: 'report', strict: true, schema: REPORT_SCHEMA },
    },
  });
}

/** The model's answer to that request. The benchmark's model in Go writes the same. */
export function reportText(number) {
  return JSON.stringify({
    title: `Case ${number}`,
    priority: 'normal',
    people: [{ name: 'Maria Jensen', role: 'customer', emails: [`maria.jensen${number}@example.com`] }],
    steps: [{ within_days: 3, what: 'Call her before the report goes to the board.', done: false }],
    summary: personalText(number, REPORT_CHARACTERS),
  });
}
