import type { JsonObject, JsonValue } from '../../core/json.js';
import type { Part, ToolChoice, ToolDefinition } from '../../core/message.js';
import { withoutUndefined } from '../wire/values.js';

export function writeTool(tool: ToolDefinition): JsonObject {
  return { type: 'function', function: withoutUndefined({ ...tool }) };
}

export function writeToolChoice(choice: ToolChoice | undefined): JsonValue | undefined {
  return choice?.type === 'tool' ? { type: 'function', function: { name: choice.name } } : choice?.type;
}

export function writeToolCall(call: Extract<Part, { type: 'tool-call' }>): JsonObject {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } };
}
