import type { JsonObject, JsonValue } from '../../src/core/json.js';

/*
 * Answers in the forms that servers really send. Servers of one API differ in habits, such as whether each piece of a
 * call repeats its id. The same habits make the complete answer and the stream, so that tests can compare the two.
 */

/** The habits of servers of Chat Completions. */
const CHAT_HABITS = {
  /** The index of a call. */
  numbered: ['each', 'same', 'none'],
  /** When the id of a call is sent: with its first piece, with every one, or not at all. */
  ids: ['once', 'repeated', 'empty', 'none'],
  names: ['once', 'repeated'],
  arguments: ['pieces', 'whole', 'object'],
  /** The member with the reasoning. `parts` is Mistral's way. */
  reasoning: ['reasoning_content', 'reasoning', 'both', 'parts'],
  usage: ['own chunk', 'last chunk', 'every chunk'],
  finish: ['own chunk', 'last piece'],
  /** What is sent before the text and between its pieces. */
  between: ['nothing', 'comments', 'empty deltas', 'a chunk about the prompt'],
  end: ['[DONE]', 'nothing'],
} as const;

/** The habits of servers of the Messages API. */
const MESSAGES_HABITS = {
  input: ['deltas', 'whole'],
  events: ['named', 'bare'],
  between: ['nothing', 'pings', 'unknown events'],
} as const;

/** The habits of servers of the Responses API. */
export const RESPONSES_HABITS = {
  texts: ['deltas', 'at their end'],
  calls: ['as they come', 'begun, then whole', 'whole'],
  events: ['named', 'bare'],
  between: ['nothing', 'unknown events'],
} as const;

/** The habits of servers of Gemini's API. */
const GEMINI_HABITS = {
  between: ['nothing', 'usage alone', 'empty texts'],
} as const;

type Habits<Table extends Record<string, readonly string[]>> = {
  readonly [Name in keyof Table]: Table[Name][number];
};
export type ChatHabits = Habits<typeof CHAT_HABITS>;

/** The habits by the name of the folder with the API's fixtures. */
export const HABITS: Record<string, Record<string, readonly string[]>> = {
  'openai-chat': CHAT_HABITS,
  'anthropic-messages': MESSAGES_HABITS,
  'openai-responses': RESPONSES_HABITS,
  'gemini-generate': GEMINI_HABITS,
};

export interface OddAnswer {
  body: JsonObject;
  /** The bytes of the stream. */
  stream: string;
}

/**
 * An answer with such habits. `frames` is the stream in the API's usual form, and `body` the complete answer. `size` is the
 * length of the pieces of text.
 */
export function oddAnswer(
  folder: string,
  body: JsonObject,
  frames: readonly JsonObject[],
  habits: Record<string, string>,
  size: number,
): OddAnswer {
  switch (folder) {
    case 'openai-chat':
      return oddChat(body, habits as unknown as ChatHabits, size);
    case 'anthropic-messages':
      return { body, stream: oddEvents(withWholeInputs(frames, habits.input === 'whole'), habits) };
    case 'openai-responses':
      return {
        body,
        stream: oddEvents(
          withoutDeltas(withWholeCalls(frames, habits.calls!), habits.texts === 'at their end'),
          habits,
        ),
      };
    default:
      return { body, stream: oddGemini(frames, habits) };
  }
}

// Chat Completions -------------------------------------------------------------------------------------

function oddChat(body: JsonObject, habits: ChatHabits, size: number): OddAnswer {
  const [choice] = body.choices as [{ message: JsonObject; finish_reason: string }];
  const { message } = choice;
  const deltas = deltasOf(message, habits, size);
  const last = habits.finish === 'last piece' ? deltas.pop() : {};
  const { usage } = body;
  const chunk = (delta: JsonObject, finish: string | null = null): JsonObject => ({
    id: body.id!,
    object: 'chat.completion.chunk',
    created: body.created!,
    model: body.model!,
    choices: [{ index: 0, delta, finish_reason: finish }],
    ...(habits.usage === 'every chunk' ? { usage: { ...(usage as JsonObject), completion_tokens: 0 } } : {}),
  });
  const whole: JsonObject = usage === undefined ? {} : { usage };
  const chunks: JsonObject[] = [
    ...(habits.between === 'a chunk about the prompt'
      ? [{ id: '', model: '', choices: [], object: '' }]
      : []),
    chunk({ role: 'assistant', content: '' }),
    ...deltas.map((delta) => chunk(delta)),
    { ...chunk(last ?? {}, choice.finish_reason), ...(habits.usage === 'own chunk' ? {} : whole) },
    ...(habits.usage === 'own chunk' ? [{ ...chunk({}), choices: [], ...whole }] : []),
  ];
  const between: Record<string, string> = {
    comments: ': PROCESSING\n\n',
    'empty deltas': dataOf(chunk({ content: '', reasoning_content: null, tool_calls: null })),
  };
  const stream = chunks.map((one) => dataOf(one) + (between[habits.between] ?? '')).slice(0, -1);
  const end = habits.end === '[DONE]' ? 'data: [DONE]\n\n' : '';
  return {
    body: { ...body, choices: [{ ...choice, message: oddMessage(message, habits) }] },
    stream: stream.join('') + dataOf(chunks.at(-1)!) + end,
  };
}

function oddMessage(message: JsonObject, habits: ChatHabits): JsonObject {
  const { reasoning_content: thought, reasoning_details: _proofs, tool_calls, ...rest } = message;
  const odd: JsonObject = { ...rest, ...(thought === undefined ? {} : thoughtIn(thought as string, habits)) };
  if (habits.reasoning === 'parts' && thought !== undefined) {
    odd.content = [
      { type: 'thinking', thinking: [{ type: 'text', text: thought }] },
      ...(message.content === null ? [] : [{ type: 'text', text: message.content! }]),
    ];
  }
  if (tool_calls !== undefined) {
    odd.tool_calls = callsOf(message).map((call, index) => ({
      ...callHead(call, index, habits, true),
      function: {
        name: call.name,
        arguments: habits.arguments === 'object' ? JSON.parse(call.text) : call.text,
      },
    }));
  }
  return odd;
}

function thoughtIn(text: string, { reasoning }: ChatHabits): JsonObject {
  if (reasoning === 'parts') return { content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] };
  if (reasoning === 'both') return { reasoning: text, reasoning_content: text };
  return { [reasoning]: text };
}

interface Call {
  id: string;
  name: string;
  text: string;
}

function callsOf({ tool_calls }: JsonObject): Call[] {
  const calls = (tool_calls ?? []) as { id: string; function: { name: string; arguments: string } }[];
  return calls.map(({ id, function: { name, arguments: text } }) => ({ id, name, text }));
}

function callHead({ id }: Call, index: number, habits: ChatHabits, first: boolean): JsonObject {
  const numbered: JsonObject = { each: { index }, same: { index: 0 }, none: {} }[habits.numbered];
  const told: JsonObject =
    habits.ids === 'empty'
      ? { id: '' }
      : habits.ids === 'repeated' || (habits.ids === 'once' && first)
        ? { id }
        : {};
  return { ...numbered, ...told, type: 'function' };
}

function deltasOf(message: JsonObject, habits: ChatHabits, size: number): JsonObject[] {
  const cut = (text: JsonValue | undefined) => (typeof text === 'string' ? piecesOf(text, size) : []);
  return [
    ...cut(message.reasoning_content).map((piece) => thoughtIn(piece, habits)),
    ...cut(message.content).map((content): JsonObject => ({ content })),
    ...cut(message.refusal).map((refusal): JsonObject => ({ refusal })),
    ...callsOf(message).flatMap((call, index) =>
      argumentPieces(call, habits, size).map((given, at): JsonObject => {
        const named: JsonObject = at === 0 || habits.names === 'repeated' ? { name: call.name } : {};
        const head = callHead(call, index, habits, at === 0);
        return { tool_calls: [{ ...head, function: { ...named, arguments: given } }] };
      }),
    ),
  ];
}

function argumentPieces({ text }: Call, habits: ChatHabits, size: number): JsonValue[] {
  if (habits.arguments === 'object') return [JSON.parse(text) as JsonValue];
  return habits.arguments === 'whole' ? [text] : piecesOf(text, size);
}

/** Splits a text into pieces, never inside a character. */
function piecesOf(text: string, size: number): string[] {
  const letters = [...text];
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, at) =>
    letters.slice(at * size, (at + 1) * size).join(''),
  );
}

// The other APIs ---------------------------------------------------------------------------------------

/** Puts all arguments of a call into the start of its block. */
function withWholeInputs(frames: readonly JsonObject[], isWhole: boolean): readonly JsonObject[] {
  if (!isWhole) return frames;
  const inputs = new Map<JsonValue, string>();
  for (const { index, delta } of frames as { index: number; delta?: { partial_json?: string } }[]) {
    if (delta?.partial_json !== undefined) inputs.set(index, (inputs.get(index) ?? '') + delta.partial_json);
  }
  return frames.flatMap((frame) => {
    const input = inputs.get(frame.index ?? null);
    if (input === undefined || frame.type === 'content_block_stop') return [frame];
    if (frame.type !== 'content_block_start') return [];
    return [
      { ...frame, content_block: { ...(frame.content_block as JsonObject), input: JSON.parse(input) } },
    ];
  });
}

/** Leaves out the deltas, so that only the events at the end of a text contain it. */
function withoutDeltas(frames: readonly JsonObject[], isWhole: boolean): readonly JsonObject[] {
  return isWhole ? frames.filter(({ type }) => !String(type).endsWith('.delta')) : frames;
}

/** Sends the arguments of a call only with the end of its item. With `whole`, its start is sent only then, too. */
export function withWholeCalls(frames: readonly JsonObject[], calls: string): readonly JsonObject[] {
  if (calls === 'as they come') return frames;
  return frames.filter(({ type, item }) => {
    if (/call_(arguments|input)\./.test(String(type))) return false;
    const isBegin = type === 'response.output_item.added' && /call$/.test(String((item as JsonObject).type));
    return calls !== 'whole' || !isBegin;
  });
}

function oddEvents(frames: readonly JsonObject[], { events, between }: Record<string, string>): string {
  const more: JsonObject[] =
    between === 'pings'
      ? [{ type: 'ping' }]
      : between === 'unknown events'
        ? [{ type: 'heartbeat', text: 1 }]
        : [];
  const write = (frame: JsonObject) =>
    events === 'named' ? `event: ${String(frame.type)}\n${dataOf(frame)}` : dataOf(frame);
  return frames
    .flatMap((frame, at) => (at === 0 ? [frame] : [...more, frame]))
    .map(write)
    .join('');
}

function oddGemini(frames: readonly JsonObject[], { between }: Record<string, string>): string {
  const more: JsonObject[] =
    between === 'usage alone'
      ? [{ usageMetadata: { promptTokenCount: 1 } }]
      : between === 'empty texts'
        ? [{ candidates: [{ index: 0, content: { role: 'model', parts: [{ text: '' }] } }] }]
        : [];
  const last = frames.length - 1;
  return frames
    .flatMap((frame, at) => (at === last ? [frame] : [frame, ...more]))
    .map(dataOf)
    .join('');
}

function dataOf(value: JsonObject): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}
