import { type Answer, type Choice, withChoices } from '../core/answer.js';
import { SluiceError } from '../core/errors.js';
import { isJsonObject, type JsonDocument, type JsonObject, type JsonValue } from '../core/json.js';
import type { Message } from '../core/message.js';
import { runSteps } from '../core/pacing/steps.js';
import { openaiChat } from './openai-chat/index.js';

/*
 * Messages in the form of Chat Completions. The admin API uses this form, whatever API the clients of an endpoint
 * speak.
 */

/** A request that was read, and its messages in neutral form. */
export interface ChatMessages<Content> {
  readonly request: JsonDocument;
  readonly content: Content;
  /** Writes changed content in the form that the messages had. */
  write(content: Content): Promise<JsonValue[]>;
}

export interface ChatAnswer extends ChatMessages<Choice[]> {
  /** The messages before the answer. */
  readonly before: Message[];
}

/**
 * A text as the only message of a phase: a user's question in the request phase, a model's answer in the response
 * phase.
 */
export function messagesOfText(text: string, phase: 'request' | 'response'): JsonValue[] {
  return [{ role: phase === 'request' ? 'user' : 'assistant', content: text }];
}

/** Reads messages as a request. Throws `invalid_request` where they are not valid in Chat Completions. */
export async function readChatRequest(
  model: string,
  messages: JsonValue[],
): Promise<ChatMessages<Message[]>> {
  const request = documentOf({ model, messages });
  await runSteps(openaiChat.readRequest(request));
  return {
    request,
    content: await runSteps(openaiChat.readMessages(request)),
    write: async (content) => {
      const { value } = await runSteps(openaiChat.writeMessages(request, content));
      return value.messages as JsonValue[];
    },
  };
}

/**
 * Reads the last message as the model's answer to those before it. Throws `invalid_request` where that message is not
 * the assistant's, or where a message is not valid in Chat Completions.
 */
export async function readChatAnswer(model: string, messages: JsonValue[]): Promise<ChatAnswer> {
  const last = messages.at(-1);
  const before = messages.slice(0, -1);
  if (!isJsonObject(last) || last.role !== 'assistant') {
    throw refusal('The last message of a response must be of the role "assistant".');
  }
  const request = documentOf({ model, messages: before });
  if (before.length > 0) await runSteps(openaiChat.readRequest(request));
  const completion = documentOf({
    id: '',
    object: 'chat.completion',
    choices: [{ index: 0, message: last, finish_reason: 'stop' }],
  });
  const answer: Answer | undefined = await runSteps(openaiChat.readAnswer(completion.value));
  if (answer === undefined) throw refusal('The last message is not an answer that a model could give.');
  return {
    request,
    content: answer.choices,
    before: before.length === 0 ? [] : await runSteps(openaiChat.readMessages(request)),
    write: async (choices) => {
      const changed = withChoices(answer, choices);
      const { value } = await runSteps(openaiChat.adaptAnswer(completion, { logId: '' }, changed));
      return [...before, (value.choices as { message: JsonValue }[])[0]!.message];
    },
  };
}

function refusal(message: string): SluiceError {
  return new SluiceError('invalid_request', message, { param: 'messages' });
}

function documentOf(value: JsonObject): JsonDocument {
  return { text: JSON.stringify(value), value };
}
