import type { JsonDocument } from '../../core/json.js';
import type { OfferedTools } from '../../core/message.js';
import { offeredTools } from '../translate/offered-tools.js';
import { asArray, asObject, asObjects } from '../wire/values.js';
import { memberOf } from './names.js';
import { callingConfig, isFunctionsKey, readFunction } from './tools.js';

/** The functions that the client runs. With the mode `VALIDATED` all of them count as strict. */
export function readTools({ value }: JsonDocument): OfferedTools {
  const tools = asObjects(value.tools);
  const config = callingConfig(value);
  const mode = config?.mode;
  const functions = tools
    .flatMap((tool) => asObjects(memberOf(tool, 'functionDeclarations')))
    .map(readFunction);
  if (mode === 'VALIDATED') for (const tool of functions) tool.strict = true;
  const others = tools.some((tool) => Object.keys(tool).some((key) => !isFunctionsKey(key)));
  const allowed = asArray(memberOf(asObject(config), 'allowedFunctionNames'));
  const names = allowed.filter((name) => typeof name === 'string');
  const choice = mode === 'ANY' ? ({ type: 'required' } as const) : undefined;
  // Where there are functions, the mode only allows calls of these, so other tools do not count.
  return offeredTools(
    functions,
    others && functions.length === 0,
    choice,
    names.length > 0 ? names : undefined,
  );
}
