import { isJsonObject, type JsonObject, type JsonValue, parsedOrText } from '../../core/json.js';
import type { ChatMessage, Conversation } from './conversation.js';

/*
 * TRL's conversational form (Hugging Face, "Dataset formats and types"): contents are plain text where possible, and
 * arguments of tool calls are objects, because the model's chat template writes them out.
 */

export function toTrlMessages(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.map((message) => {
    const { content = null, tool_calls } = message;
    const calls = Array.isArray(tool_calls) ? { tool_calls: tool_calls.map(toTrlCall) } : {};
    return { ...message, content: toTrlContent(content), ...calls } as ChatMessage;
  });
}

/** The columns of a line besides the messages. */
export function toTrlTools({ tools }: Conversation): JsonObject {
  return tools === undefined ? {} : { tools };
}

function toTrlContent(content: JsonValue): JsonValue {
  if (content === null) return '';
  if (!Array.isArray(content)) return content;
  const texts = content.map((part) => (isJsonObject(part) && part.type === 'text' ? part.text : undefined));
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : content;
}

function toTrlCall(call: JsonValue): JsonValue {
  if (!isJsonObject(call) || !isJsonObject(call.function)) return call;
  return { ...call, function: { ...call.function, arguments: parsed(call.function.arguments ?? null) } };
}

/** Arguments that are not valid JSON stay as the model wrote them. */
function parsed(text: JsonValue): JsonValue {
  return typeof text === 'string' ? parsedOrText(text) : text;
}
