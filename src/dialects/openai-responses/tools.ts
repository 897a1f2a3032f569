import type { JsonObject, JsonValue } from '../../core/json.js';
import type { ToolChoice, ToolDefinition } from '../../core/message.js';
import { withoutUndefined } from '../wire/values.js';

export function writeTool(tool: ToolDefinition): JsonObject {
  // This API's tools are strict by default; those of other APIs are not.
  const { cacheControl: _mark, ...definition } = tool;
  return withoutUndefined({ type: 'function', ...definition, strict: tool.strict ?? false });
}

export function writeToolChoice(choice: ToolChoice | undefined): JsonValue | undefined {
  return choice?.type === 'tool' ? { type: 'function', name: choice.name } : choice?.type;
}
