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
} from '../helpers/check.js';

/*
 * What a Chat Completions request must look like. Only what the API itself refuses is refused; types of parts
 * and tools that are not known here pass.
 */

const textPart = hasMembers({ text: isString }, ['text']);
const isPart = byMember('type', {
  text: textPart,
  refusal: hasMembers({ refusal: isString }, ['refusal']),
  image_url: hasMembers({ image_url: hasMembers({ url: isString }, ['url']) }, ['image_url']),
  input_audio: hasMembers({ input_audio: isObject }, ['input_audio']),
  file: hasMembers({ file: isObject }, ['file']),
});
const isContent = isStringOr(isArrayOf(isPart, 1), 'a string or an array of content parts');
const isTextContent = isStringOr(isArrayOf(isPart), 'a string or an array of text parts');

const isToolCall = byMember('type', {
  function: hasMembers(
    {
      id: isString,
      function: hasMembers({ name: isString, arguments: isString }, ['name', 'arguments']),
    },
    ['id', 'function'],
  ),
});

const ROLES = {
  developer: hasMembers({ content: isTextContent }, ['content']),
  system: hasMembers({ content: isTextContent }, ['content']),
  user: hasMembers({ content: isContent }, ['content']),
  assistant: hasMembers({ content: orNull(isTextContent), tool_calls: orNull(isArrayOf(isToolCall)) }),
  tool: hasMembers({ content: isTextContent, tool_call_id: isString }, ['content', 'tool_call_id']),
  function: hasMembers({ content: orNull(isString), name: isString }, ['content', 'name']),
};

const isRole = hasMembers({ role: isOneOf(...Object.keys(ROLES)) }, ['role']);
const isMessageOfRole = byMember('role', ROLES);

const isTool = byMember('type', {
  function: hasMembers(
    { function: hasMembers({ name: isNonEmptyString, parameters: orNull(isObject) }, ['name']) },
    ['function'],
  ),
});

const isResponseFormat = byMember('type', {
  json_schema: hasMembers({ json_schema: hasMembers({ name: isString, schema: orNull(isSchema) }) }, [
    'json_schema',
  ]),
});

export const isChatRequest: Check = hasMembers(
  {
    model: isNonEmptyString,
    messages: isArrayOf((value, path) => {
      isRole(value, path);
      isMessageOfRole(value, path);
    }, 1),
    stream: orNull(isBoolean),
    stream_options: orNull(hasMembers({ include_usage: orNull(isBoolean) })),
    n: orNull(isInteger(1)),
    metadata: orNull(isObject),
    store: orNull(isBoolean),
    response_format: orNull(isResponseFormat),
    temperature: orNull(isNumber),
    top_p: orNull(isNumber),
    frequency_penalty: orNull(isNumber),
    presence_penalty: orNull(isNumber),
    max_tokens: orNull(isInteger(0)),
    max_completion_tokens: orNull(isInteger(0)),
    seed: orNull(isNumber),
    stop: orNull(isStringOr(isArrayOf(isString), 'a string or an array of strings')),
    tools: orNull(isArrayOf(isTool)),
    tool_choice: orNull(isStringOr(isObject, 'a string or an object')),
    parallel_tool_calls: orNull(isBoolean),
    user: orNull(isString),
  },
  ['model', 'messages'],
);
