import { isJsonObject, type JsonDocument, type JsonObject, type JsonValue } from '../../core/json.js';
import type { LogRecord } from '../../core/log-record.js';
import { parseJsonInSteps, stringifyInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { Dialect } from '../../dialects/dialect.js';
import { dialectById } from '../../dialects/index.js';
import { answerInFormOfPrompt } from './one-form.js';

/** A message in the form of Chat Completions. */
export type ChatMessage = JsonObject & { role: string };

export interface Conversation {
  messages: ChatMessage[];
  tools?: JsonValue[];
  parallel_tool_calls?: boolean;
}

const chat = dialectById('openai.chat');

/**
 * The conversation that the model got, from any dialect. Undefined where it is not stored, or cannot be expressed in
 * this form.
 */
export function* conversationOf({ api, request }: LogRecord): Steps<Conversation | undefined> {
  if (!isJsonObject(request)) return undefined;
  const dialect = dialectById(api);
  const { standing, turns, needed } = dialect.conversation;
  const kept = [...standing, ...turns, ...needed].filter((key) => request[key] !== undefined);
  const value: JsonObject = Object.fromEntries(kept.map((key) => [key, request[key] as JsonValue]));
  const body = yield* asChat(dialect, { text: yield* stringifyInSteps(value), value });
  if (body === undefined || !Array.isArray(body.messages)) return undefined;
  const { tools, parallel_tool_calls } = body;
  return {
    messages: (body.messages as ChatMessage[]).map(withKnownRole),
    ...(Array.isArray(tools) && tools.length > 0 ? { tools } : {}),
    ...(typeof parallel_tool_calls === 'boolean' ? { parallel_tool_calls } : {}),
  };
}

function* asChat(dialect: Dialect, document: JsonDocument): Steps<JsonObject | undefined> {
  try {
    const neutral = yield* dialect.toNeutral(document, yield* dialect.readRequest(document));
    const text = yield* chat.fromNeutral(
      { ...neutral, stream: false },
      { model: '', outputSchema: 'omit', askForUsage: false },
    );
    return (yield* parseJsonInSteps(text)) as JsonObject | undefined;
  } catch {
    // Parts without a form here, such as a tool that runs at the provider, are not training data.
    return undefined;
  }
}

/** `developer` is the newer name of the system role; training formats know the older one. */
function withKnownRole(message: ChatMessage): ChatMessage {
  return message.role === 'developer' ? { ...message, role: 'system' } : message;
}

interface WrittenAnswer extends JsonObject {
  choices: { message: { content: string | null; tool_calls?: JsonValue[] } }[];
}

/**
 * The answer to learn from, with names in the same form as in the log's prompt: its first choice. Undefined where the
 * model said nothing, or where what it said was not kept.
 */
export function* answerOf(record: LogRecord): Steps<ChatMessage | undefined> {
  const { _id, api } = record;
  const response = answerInFormOfPrompt(record);
  const answer = yield* dialectById(api).readAnswer(response);
  if (answer === undefined) return undefined;
  const text = yield* chat.writeAnswer(answer, { logId: _id, created: 0, model: '' });
  const written = (yield* parseJsonInSteps(text)) as WrittenAnswer | undefined;
  const message = written?.choices[0]?.message;
  if (message === undefined || (!message.content && !message.tool_calls?.length)) return undefined;
  return {
    role: 'assistant',
    content: message.content ?? '',
    ...(message.tool_calls?.length ? { content: message.content, tool_calls: message.tool_calls } : {}),
  };
}

export function assistantText(content: string): ChatMessage {
  return { role: 'assistant', content };
}
