import type { JsonDocument, JsonObject, JsonValue } from '../../core/json.js';
import type { OfferedTools, ToolChoice, ToolDefinition } from '../../core/message.js';
import { offeredTools } from '../translate/offered-tools.js';
import { asBoolean, asObject, asObjects, asString, dropUndefined } from '../wire/values.js';

/** The functions, including those of the deprecated `functions`. */
export function readTools({ value }: JsonDocument): OfferedTools {
  const tools = asObjects(value.tools);
  const definitions = asObjects(tools.filter(isFunction).map((tool) => tool.function ?? null));
  const functions = [...definitions, ...asObjects(value.functions)].map(readFunction);
  const others = definitions.length < tools.length;
  const choice = asObject(value.tool_choice);
  if (choice?.type === 'allowed_tools') {
    const { mode, tools: listed } = asObject(choice.allowed_tools) ?? {};
    const allowed = asObjects(listed).map((tool) => asString(asObject(tool.function)?.name));
    return offeredTools(
      functions,
      allowed.includes(undefined),
      modeOf(mode),
      allowed.flatMap((name) => name ?? []),
    );
  }
  return offeredTools(functions, others, readChoice(value));
}

function isFunction({ type }: JsonObject): boolean {
  return type === 'function';
}

/** One function, as a request defines it. */
export function readFunction(definition: JsonObject): ToolDefinition {
  return dropUndefined<ToolDefinition>({
    name: asString(definition.name) ?? '',
    description: asString(definition.description),
    parameters: asObject(definition.parameters),
    strict: asBoolean(definition.strict),
  });
}

function readChoice({ tool_choice: choice, function_call: legacy }: JsonObject): ToolChoice | undefined {
  const name = asString(asObject(asObject(choice)?.function)?.name) ?? asString(asObject(legacy)?.name);
  return name === undefined ? modeOf(choice) : { type: 'tool', name };
}

function modeOf(mode: JsonValue | undefined): ToolChoice | undefined {
  return mode === 'required' ? { type: mode } : undefined;
}
