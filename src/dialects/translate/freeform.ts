import { isJsonObject, type JsonObject, parseJson } from '../../core/json.js';
import type { ToolDefinition } from '../../core/message.js';

/*
 * A free-form tool (`custom` in OpenAI's APIs) takes any text. To other APIs it is a function with one argument.
 */

const PARAMETERS: JsonObject = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
  required: ['input'],
  additionalProperties: false,
};

/** `format` says which texts it takes; a model that cannot be held to a grammar is told it. */
export function freeformTool(
  name: string,
  description: string | undefined,
  format: JsonObject | undefined,
): ToolDefinition {
  const grammar = isJsonObject(format?.grammar) ? format.grammar : format;
  const told =
    typeof grammar?.definition === 'string'
      ? `The input must match this grammar (${String(grammar.syntax ?? 'text')}):\n${grammar.definition}`
      : undefined;
  const texts = [description, told].filter((text) => text !== undefined && text !== '');
  return {
    name,
    ...(texts.length === 0 ? {} : { description: texts.join('\n\n') }),
    parameters: PARAMETERS,
  };
}

/** The arguments of the function that stands for it. */
export function freeformArguments(input: string): string {
  return JSON.stringify({ input });
}

/** The text of a call of it. Arguments that a model wrote in another form are its text as they are. */
export function freeformInput(call: { arguments: string; freeform?: true }): string {
  if (call.freeform) return call.arguments;
  const value = parseJson(call.arguments);
  return isJsonObject(value) && typeof value.input === 'string' ? value.input : call.arguments;
}
