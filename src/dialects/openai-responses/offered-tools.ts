import type { JsonDocument, JsonObject } from '../../core/json.js';
import type { OfferedTools } from '../../core/message.js';
import { offeredTools } from '../translate/offered-tools.js';
import { asObject, asObjects, asString } from '../wire/values.js';
import { flatName, readClientTools } from './client-tools.js';

/**
 * Functions. A function without `strict` counts as not strict, because other models would not know the default of
 * this API.
 */
export function readTools({ value }: JsonDocument): OfferedTools {
  const tools = asObjects(value.tools);
  const read = readClientTools(tools);
  const functions = read.tools.flatMap(({ kind, definition }) => (kind === 'function' ? [definition] : []));
  const others = read.leftOut.length > 0 || functions.length < read.tools.length;
  const choice = asObject(value.tool_choice);
  if (choice?.type === 'allowed_tools') {
    const listed = asObjects(choice.tools);
    const names = listed.filter(isFunction).map(nameOf);
    const mode = choice.mode === 'required' ? ({ type: 'required' } as const) : undefined;
    return offeredTools(functions, names.length < listed.length, mode, names);
  }
  if (value.tool_choice === 'required') return offeredTools(functions, others, { type: 'required' });
  const name = choice !== undefined && isFunction(choice) ? nameOf(choice) : '';
  return offeredTools(functions, others, name === '' ? undefined : { type: 'tool', name });
}

/** The flat name of a tool that a choice names. */
export function nameOf({ name, namespace }: JsonObject): string {
  return flatName(asString(name) ?? '', asString(namespace));
}

function isFunction(tool: JsonObject): boolean {
  return tool.type === 'function';
}
