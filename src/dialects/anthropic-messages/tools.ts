import { assertNever } from '../../core/assert-never.js';
import type { JsonObject } from '../../core/json.js';
import type { ToolChoice, ToolDefinition } from '../../core/message.js';
import { writeCacheControl } from '../translate/cache-control.js';
import { withoutUndefined } from '../wire/values.js';

export function writeTool(tool: ToolDefinition): JsonObject {
  return withoutUndefined({
    name: tool.name,
    description: tool.description,
    input_schema: { type: 'object', ...tool.parameters },
    strict: tool.strict,
    ...writeCacheControl(tool),
  });
}

export function writeChoice(choice: ToolChoice): JsonObject {
  switch (choice.type) {
    case 'required':
      return { type: 'any' };
    case 'tool':
      return { type: 'tool', name: choice.name };
    case 'auto':
    case 'none':
      return { type: choice.type };
    default:
      return assertNever(choice);
  }
}
