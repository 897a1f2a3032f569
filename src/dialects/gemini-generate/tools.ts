import { assertNever } from '../../core/assert-never.js';
import type { JsonObject } from '../../core/json.js';
import { append } from '../../core/lists/append.js';
import type { ToolChoice, ToolDefinition } from '../../core/message.js';
import { type GivenTools, RUNS_ELSEWHERE } from '../translate/carried-tools.js';
import { asArray, asObject, asObjects, asString, dropUndefined, withoutUndefined } from '../wire/values.js';
import { memberOf } from './names.js';
import { readSchema } from './schema.js';

/** The functions of a request. Tools that run at the provider cannot be carried over to another API. */
export function readTools(request: JsonObject): GivenTools {
  const given: GivenTools = { tools: [], leftOut: [] };
  for (const [index, tool] of asObjects(request.tools).entries()) {
    for (const other of Object.keys(tool).filter((key) => !isFunctionsKey(key))) {
      given.leftOut.push({ path: `tools[${index}].${other}`, what: other, why: RUNS_ELSEWHERE });
    }
    append(given.tools, asObjects(memberOf(tool, 'functionDeclarations')).map(readFunction));
  }
  const choice = readToolChoice(request);
  const allowed = allowedNames(request);
  if (choice !== undefined) given.choice = choice;
  if (choice?.type === 'required' && allowed.length > 0) given.allowed = allowed;
  return given;
}

function allowedNames(request: JsonObject): string[] {
  const names = asArray(memberOf(callingConfig(request), 'allowedFunctionNames'));
  return names.filter((name) => typeof name === 'string');
}

export function isFunctionsKey(key: string): boolean {
  return /^function_?declarations$/i.test(key);
}

/** One function, as a request declares it. */
export function readFunction(tool: JsonObject): ToolDefinition {
  const parameters = readSchema(tool, { own: 'parameters', json: 'parametersJsonSchema' });
  return dropUndefined<ToolDefinition>({
    name: asString(tool.name) ?? '',
    description: asString(tool.description),
    parameters: asObject(parameters),
  });
}

export function callingConfig(request: JsonObject): JsonObject | undefined {
  return asObject(memberOf(asObject(memberOf(request, 'toolConfig')), 'functionCallingConfig'));
}

export function readToolChoice(request: JsonObject): ToolChoice | undefined {
  const config = callingConfig(request);
  const allowed = allowedNames(request);
  switch (config?.mode) {
    case 'AUTO':
    case 'VALIDATED':
      return { type: 'auto' };
    case 'NONE':
      return { type: 'none' };
    case 'ANY':
      return allowed.length === 1 ? { type: 'tool', name: allowed[0]! } : { type: 'required' };
    default:
      // There is no choice, or one that is newer than this code.
      return undefined;
  }
}

export function writeTool(tool: ToolDefinition): JsonObject {
  return withoutUndefined({
    name: tool.name,
    description: tool.description,
    parametersJsonSchema: tool.parameters,
  });
}

export function writeToolConfig(choice: ToolChoice): JsonObject {
  return { functionCallingConfig: writeChoice(choice) };
}

function writeChoice(choice: ToolChoice): JsonObject {
  switch (choice.type) {
    case 'auto':
      return { mode: 'AUTO' };
    case 'none':
      return { mode: 'NONE' };
    case 'required':
      return { mode: 'ANY' };
    case 'tool':
      return { mode: 'ANY', allowedFunctionNames: [choice.name] };
    default:
      return assertNever(choice);
  }
}
