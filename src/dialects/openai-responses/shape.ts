import type { JsonObject } from '../../core/json.js';
import {
  byMember,
  type Check,
  hasMembers,
  isArrayOf,
  isBoolean,
  isInteger,
  isNonEmptyString,
  isNumber,
  isObject,
  isOneOf,
  isSchema,
  isString,
  isStringOr,
  orNull,
  refuse,
} from '../helpers/check.js';

/*
 * What a Responses request must look like. Only what the API itself refuses is refused; types of items, parts
 * and tools that are not known here pass.
 */

const isPart = byMember('type', {
  input_text: hasMembers({ text: isString }, ['text']),
  output_text: hasMembers({ text: isString }, ['text']),
  refusal: hasMembers({ refusal: isString }, ['refusal']),
  input_image: hasMembers({ image_url: orNull(isString), file_id: orNull(isString) }),
  input_file: hasMembers({ file_data: isString, file_url: isString, file_id: orNull(isString) }),
});
const isContent = isStringOr(isArrayOf(isPart), 'a string or an array of content parts');

const isMessage = hasMembers(
  { role: isOneOf('user', 'assistant', 'system', 'developer'), content: isContent },
  ['role', 'content'],
);

const isTypedItem = byMember('type', {
  message: isMessage,
  function_call: hasMembers({ call_id: isString, name: isString, arguments: isString }, [
    'call_id',
    'name',
    'arguments',
  ]),
  function_call_output: hasMembers({ call_id: isString, output: isContent }, ['call_id', 'output']),
  reasoning: hasMembers({ summary: isArrayOf(isObject), encrypted_content: orNull(isString) }, ['summary']),
  item_reference: hasMembers({ id: isString }, ['id']),
});

/** A message may come without its type. */
const isItem: Check = (value, path) => {
  isObject(value, path);
  const { type, role } = value as { type?: unknown; role?: unknown };
  if (type === undefined || type === null) {
    if (role === undefined)
      refuse(`${path}.type`, `'${path}' must have a type, or be a message with a role.`);
    isMessage(value, path);
  } else {
    isTypedItem(value, path);
  }
};

const isFormat = byMember('type', {
  json_schema: hasMembers({ name: isString, schema: isSchema }, ['name', 'schema']),
});

/** Nothing here keeps an answer that nobody waits for, and none could be fetched. */
const isNoBackground: Check = (value, path) => {
  isBoolean(value, path);
  if (value !== true) return;
  refuse(
    path,
    `'${path}' must be false: an answer cannot be fetched later through this gateway. Wait for it, or stream it.`,
  );
};

const hasResponsesMembers = hasMembers(
  {
    model: isNonEmptyString,
    input: orNull(isStringOr(isArrayOf(isItem), 'a string or an array of items')),
    instructions: orNull(isString),
    stream: orNull(isBoolean),
    store: orNull(isBoolean),
    background: orNull(isNoBackground),
    metadata: orNull(isObject),
    previous_response_id: orNull(isString),
    text: orNull(hasMembers({ format: orNull(isFormat) })),
    reasoning: orNull(hasMembers({ effort: orNull(isString) })),
    max_output_tokens: orNull(isInteger(0)),
    temperature: orNull(isNumber),
    top_p: orNull(isNumber),
    tools: orNull(
      isArrayOf(byMember('type', { function: hasMembers({ name: isNonEmptyString }, ['name']) })),
    ),
    tool_choice: orNull(isStringOr(isObject, 'a string or an object')),
    parallel_tool_calls: orNull(isBoolean),
    user: orNull(isString),
  },
  ['model'],
);

/** What there is to answer: the API takes no request without one of them. */
const SUBJECTS = ['input', 'previous_response_id', 'prompt', 'conversation'];

export const isResponsesRequest: Check = (value, path) => {
  hasResponsesMembers(value, path);
  const request = value as JsonObject;
  if (SUBJECTS.every((key) => (request[key] ?? null) === null)) refuse('input', "'input' is required.");
};
