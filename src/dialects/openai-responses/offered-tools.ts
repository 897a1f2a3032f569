import type { JsonDocument, JsonObject } from '../../core/json.js';
import type { OfferedTools, ToolDefinition } from '../../core/message.js';
import { offeredTools } from '../translate/offered-tools.js';
import { asBoolean, asObject, asObjects, asString, dropUndefined } from '../wire/values.js';

/** Functions. One without a word of `strict` is not taken as strict: models elsewhere would not know. */
export function readTools({ value }: JsonDocument): OfferedTools {
  const tools = asObjects(value.tools);
  const functions = tools.filter(isFunction).map(readFunction);
  const others = functions.length < tools.length;
  const choice = asObject(value.tool_choice);
  if (choice?.type === 'allowed_tools') {
    const listed = asObjects(choice.tools);
    const names = listed.filter(isFunction).flatMap(({ name }) => asString(name) ?? []);
    const mode = choice.mode === 'required' ? ({ type: 'required' } as const) : undefined;
    return offeredTools(functions, names.length < listed.length, mode, names);
  }
  if (value.tool_choice === 'required') return offeredTools(functions, others, { type: 'required' });
  const name = choice !== undefined && isFunction(choice) ? asString(choice.name) : undefined;
  return offeredTools(functions, others, name === undefined ? undefined : { type: 'tool', name });
}

function isFunction(tool: JsonObject): boolean {
  return tool.type === 'function';
}

/** One function, as a request defines it. */
export function readFunction(tool: JsonObject): ToolDefinition {
  return dropUndefined<ToolDefinition>({
    name: asString(tool.name) ?? '',
    description: asString(tool.description),
    parameters: asObject(tool.parameters),
    strict: asBoolean(tool.strict),
  });
}
