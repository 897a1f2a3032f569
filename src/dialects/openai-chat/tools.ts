import type { JsonObject, JsonValue } from '../../core/json.js';
import type { Part, ToolChoice, ToolDefinition } from '../../core/message.js';
import type { ChatTraits } from '../dialect.js';
import { writeCacheControl } from '../translate/cache-control.js';
import { freeformInput } from '../translate/freeform.js';
import { asObject, asObjects, asString, withoutUndefined } from '../wire/values.js';

export function writeTool(tool: ToolDefinition, traits?: ChatTraits): JsonObject {
  const { cacheControl, ...definition } = tool;
  const marked = traits?.cacheControl ? writeCacheControl({ cacheControl }) : {};
  return { type: 'function', function: withoutUndefined({ ...definition }), ...marked };
}

export function writeToolChoice(choice: ToolChoice | undefined): JsonValue | undefined {
  return choice?.type === 'tool' ? { type: 'function', function: { name: choice.name } } : choice?.type;
}

type ToolCall = Pick<Extract<Part, { type: 'tool-call' }>, 'id' | 'name' | 'arguments' | 'freeform'>;

/** The tools of a request that take any text. */
export function customTools(request: JsonObject | undefined): JsonObject[] {
  return asObjects(request?.tools).filter(({ type }) => type === 'custom');
}

/** The names of these tools. */
export function customNames(request: JsonObject | undefined): ReadonlySet<string> {
  return new Set(customTools(request).flatMap(({ custom }) => asString(asObject(custom)?.name) ?? []));
}

export function writeToolCall(call: ToolCall, custom?: ReadonlySet<string>): JsonObject {
  if (call.freeform || custom?.has(call.name)) {
    return { id: call.id, type: 'custom', custom: { name: call.name, input: freeformInput(call) } };
  }
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } };
}
