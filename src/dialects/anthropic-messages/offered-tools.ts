import type { JsonDocument, JsonObject } from '../../core/json.js';
import type { OfferedTools, ToolChoice, ToolDefinition } from '../../core/message.js';
import { offeredTools } from '../translate/offered-tools.js';
import { asBoolean, asObject, asObjects, asString, dropUndefined } from '../wire/values.js';

/** The tools that the client itself runs. Tools that Anthropic runs have a `type`. */
export function readTools({ value }: JsonDocument): OfferedTools {
  const tools = asObjects(value.tools);
  const own = tools.filter(isClientTool).map(readClientTool);
  return offeredTools(own, own.length < tools.length, readToolChoice(asObject(value.tool_choice)));
}

export function isClientTool({ type }: JsonObject): boolean {
  return type === undefined || type === null || type === 'custom';
}

/** One tool, as a request defines it. */
export function readClientTool(tool: JsonObject): ToolDefinition {
  return dropUndefined<ToolDefinition>({
    name: asString(tool.name) ?? '',
    description: asString(tool.description),
    parameters: asObject(tool.input_schema),
    strict: asBoolean(tool.strict),
  });
}

export function readToolChoice(choice: JsonObject | undefined): ToolChoice | undefined {
  switch (choice?.type) {
    case 'auto':
    case 'none':
      return { type: choice.type };
    case 'any':
      return { type: 'required' };
    case 'tool':
      return { type: 'tool', name: asString(choice.name) ?? '' };
    default:
      // Without `tool_choice` the model decides whether it calls a tool.
      break;
  }
  return undefined;
}
