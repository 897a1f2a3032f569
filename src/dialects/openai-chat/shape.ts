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
} from '../wire/check.js';

/*
 * The shape of a Chat Completions request. Only what the API refuses is refused; unknown types of parts and tools
 * pass.
 */

const textPart = expectMembers({ text: expectString }, ['text']);
const expectPart = byMember('type', {
  text: textPart,
  refusal: expectMembers({ refusal: expectString }, ['refusal']),
  image_url: expectMembers({ image_url: expectMembers({ url: expectString }, ['url']) }, ['image_url']),
  input_audio: expectMembers({ input_audio: expectObject }, ['input_audio']),
  file: expectMembers({ file: expectObject }, ['file']),
});
const expectContent = expectStringOr(expectArrayOf(expectPart, 1), 'a string or an array of content parts');
const expectTextContent = expectStringOr(expectArrayOf(expectPart), 'a string or an array of text parts');

const expectToolCall = byMember('type', {
  function: expectMembers(
    {
      id: expectString,
      function: expectMembers({ name: expectString, arguments: expectString }, ['name', 'arguments']),
    },
    ['id', 'function'],
  ),
});

const ROLES = {
  developer: expectMembers({ content: expectTextContent }, ['content']),
  system: expectMembers({ content: expectTextContent }, ['content']),
  user: expectMembers({ content: expectContent }, ['content']),
  assistant: expectMembers({
    content: orNull(expectTextContent),
    tool_calls: orNull(expectArrayOf(expectToolCall)),
  }),
  tool: expectMembers({ content: expectTextContent, tool_call_id: expectString }, [
    'content',
    'tool_call_id',
  ]),
  function: expectMembers({ content: orNull(expectString), name: expectString }, ['content', 'name']),
};

const expectRole = expectMembers({ role: expectOneOf(...Object.keys(ROLES)) }, ['role']);
const expectMessageOfRole = byMember('role', ROLES);

const expectTool = byMember('type', {
  function: expectMembers(
    { function: expectMembers({ name: expectNonEmptyString, parameters: orNull(expectObject) }, ['name']) },
    ['function'],
  ),
});

const expectResponseFormat = byMember('type', {
  json_schema: expectMembers(
    { json_schema: expectMembers({ name: expectString, schema: orNull(expectSchema) }) },
    ['json_schema'],
  ),
});

export const expectChatRequest: Check = expectMembers(
  {
    model: expectNonEmptyString,
    messages: expectArrayOf((value, path) => {
      expectRole(value, path);
      expectMessageOfRole(value, path);
    }, 1),
    stream: orNull(expectBoolean),
    stream_options: orNull(expectMembers({ include_usage: orNull(expectBoolean) })),
    n: orNull(expectInteger(1)),
    metadata: orNull(expectObject),
    store: orNull(expectBoolean),
    response_format: orNull(expectResponseFormat),
    temperature: orNull(expectNumber),
    top_p: orNull(expectNumber),
    frequency_penalty: orNull(expectNumber),
    presence_penalty: orNull(expectNumber),
    max_tokens: orNull(expectInteger(0)),
    max_completion_tokens: orNull(expectInteger(0)),
    seed: orNull(expectNumber),
    stop: orNull(expectStringOr(expectArrayOf(expectString), 'a string or an array of strings')),
    tools: orNull(expectArrayOf(expectTool)),
    tool_choice: orNull(expectStringOr(expectObject, 'a string or an object')),
    parallel_tool_calls: orNull(expectBoolean),
    user: orNull(expectString),
  },
  ['model', 'messages'],
);
