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

/**
 * `format` describes the texts that the tool takes. A model that cannot be forced to follow a grammar gets it as a
 * description.
 */
export function freeformTool(
  name: string,
  description: string | undefined,
  format: JsonObject | undefined,
): ToolDefinition {
  const grammar = isJsonObject(format?.grammar) ? format.grammar : format;
  const formatText =
    typeof grammar?.definition === 'string'
      ? `The input must match this grammar (${String(grammar.syntax ?? 'text')}):\n${grammar.definition}`
      : undefined;
  const texts = [description, formatText].filter((text) => text !== undefined && text !== '');
  return {
    name,
    ...(texts.length === 0 ? {} : { description: texts.join('\n\n') }),
    parameters: PARAMETERS,
  };
}

/** The arguments of the function that replaces the tool. */
export function freeformArguments(input: string): string {
  return JSON.stringify({ input });
}

/** The text of a call. Where the model wrote its arguments in another form, they are the text. */
export function freeformInput(call: { arguments: string; freeform?: true }): string {
  if (call.freeform) return call.arguments;
  const value = parseJson(call.arguments);
  return isJsonObject(value) && typeof value.input === 'string' ? value.input : call.arguments;
}
