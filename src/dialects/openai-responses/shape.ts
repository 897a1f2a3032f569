import type { JsonObject } from '../../core/json.js';
import {
  byMember,
  type Check,
  expectArrayOf,
  expectBoolean,
  expectInteger,
  expectMembers,
  expectNonEmptyString,
  expectNumber,
  expectObject,
  expectOneOf,
  expectSchema,
  expectString,
  expectStringOr,
  orNull,
  refuse,
} from '../wire/check.js';

/*
 * The shape of a Responses request. Only what the API refuses is refused; unknown types of items, parts and tools
 * pass.
 */

const expectPart = byMember('type', {
  input_text: expectMembers({ text: expectString }, ['text']),
  output_text: expectMembers({ text: expectString }, ['text']),
  refusal: expectMembers({ refusal: expectString }, ['refusal']),
  input_image: expectMembers({ image_url: orNull(expectString), file_id: orNull(expectString) }),
  input_file: expectMembers({
    file_data: expectString,
    file_url: expectString,
    file_id: orNull(expectString),
  }),
});
const expectContent = expectStringOr(expectArrayOf(expectPart), 'a string or an array of content parts');

const expectMessage = expectMembers(
  { role: expectOneOf('user', 'assistant', 'system', 'developer'), content: expectContent },
  ['role', 'content'],
);

const expectTypedItem = byMember('type', {
  message: expectMessage,
  function_call: expectMembers({ call_id: expectString, name: expectString, arguments: expectString }, [
    'call_id',
    'name',
    'arguments',
  ]),
  function_call_output: expectMembers({ call_id: expectString, output: expectContent }, [
    'call_id',
    'output',
  ]),
  reasoning: expectMembers(
    { summary: expectArrayOf(expectObject), encrypted_content: orNull(expectString) },
    ['summary'],
  ),
  item_reference: expectMembers({ id: expectString }, ['id']),
});

/** A message need not name its type. */
const expectItem: Check = (value, path) => {
  expectObject(value, path);
  const { type, role } = value as { type?: unknown; role?: unknown };
  if (type === undefined || type === null) {
    if (role === undefined)
      refuse(`${path}.type`, `'${path}' must have a type, or be a message with a role.`);
    expectMessage(value, path);
  } else {
    expectTypedItem(value, path);
  }
};

const expectFormat = byMember('type', {
  json_schema: expectMembers({ name: expectString, schema: expectSchema }, ['name', 'schema']),
});

/** The gateway does not keep answers, so an answer in the background could not be fetched. */
const expectNoBackground: Check = (value, path) => {
  expectBoolean(value, path);
  if (value !== true) return;
  refuse(
    path,
    `'${path}' must be false: an answer cannot be fetched later through this gateway. Wait for it, or stream it.`,
  );
};

/** The members of a request to count tokens, in which only the model is required. */
export const expectResponsesMembers = expectMembers(
  {
    model: expectNonEmptyString,
    input: orNull(expectStringOr(expectArrayOf(expectItem), 'a string or an array of items')),
    instructions: orNull(expectString),
    stream: orNull(expectBoolean),
    store: orNull(expectBoolean),
    background: orNull(expectNoBackground),
    metadata: orNull(expectObject),
    previous_response_id: orNull(expectString),
    text: orNull(expectMembers({ format: orNull(expectFormat) })),
    reasoning: orNull(expectMembers({ effort: orNull(expectString) })),
    max_output_tokens: orNull(expectInteger(0)),
    temperature: orNull(expectNumber),
    top_p: orNull(expectNumber),
    tools: orNull(
      expectArrayOf(byMember('type', { function: expectMembers({ name: expectNonEmptyString }, ['name']) })),
    ),
    tool_choice: orNull(expectStringOr(expectObject, 'a string or an object')),
    parallel_tool_calls: orNull(expectBoolean),
    user: orNull(expectString),
  },
  ['model'],
);

/** The API requires one of these members. */
const SUBJECTS = ['input', 'previous_response_id', 'prompt', 'conversation'];

export const expectResponsesRequest: Check = (value, path) => {
  expectResponsesMembers(value, path);
  const request = value as JsonObject;
  if (SUBJECTS.every((key) => (request[key] ?? null) === null)) refuse('input', "'input' is required.");
};
