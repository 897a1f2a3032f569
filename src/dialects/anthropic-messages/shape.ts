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
 * What a Messages request must look like. Only what the API itself refuses is refused; types of blocks and
 * tools that are not known here pass.
 */

const isTextBlock = byMember('type', { text: hasMembers({ text: isString }, ['text']) });

const isSource = byMember('type', {
  base64: hasMembers({ media_type: isString, data: isString }, ['media_type', 'data']),
  text: hasMembers({ data: isString }, ['data']),
  url: hasMembers({ url: isString }, ['url']),
  file: hasMembers({ file_id: isString }, ['file_id']),
});

const isBlock: Check = byMember('type', {
  text: hasMembers({ text: isString }, ['text']),
  image: hasMembers({ source: isSource }, ['source']),
  document: hasMembers({ source: isSource, title: orNull(isString) }, ['source']),
  thinking: hasMembers({ thinking: isString, signature: isString }, ['thinking', 'signature']),
  redacted_thinking: hasMembers({ data: isString }, ['data']),
  tool_use: hasMembers({ id: isString, name: isString, input: isObject }, ['id', 'name', 'input']),
  tool_result: hasMembers(
    {
      tool_use_id: isString,
      content: orNull(isStringOr(isArrayOf(byMember('type', {})), 'a string or an array of content blocks')),
      is_error: orNull(isBoolean),
    },
    ['tool_use_id'],
  ),
});

const isMessage = hasMembers(
  {
    role: isOneOf('user', 'assistant', 'system'),
    content: isStringOr(isArrayOf(isBlock), 'a string or an array of content blocks'),
  },
  ['role', 'content'],
);

const isOutputFormat = byMember('type', { json_schema: hasMembers({ schema: isSchema }, ['schema']) });

/** What a message and the counting of its tokens have in common. */
const COMMON: Record<string, Check> = {
  model: isNonEmptyString,
  messages: isArrayOf(isMessage, 1),
  system: orNull(isStringOr(isArrayOf(isTextBlock), 'a string or an array of text blocks')),
  tools: orNull(isArrayOf(hasMembers({ name: isNonEmptyString, input_schema: isObject }))),
  tool_choice: orNull(byMember('type', { tool: hasMembers({ name: isString }, ['name']) })),
  thinking: orNull(
    byMember('type', { enabled: hasMembers({ budget_tokens: isInteger(1) }, ['budget_tokens']) }),
  ),
  output_config: orNull(hasMembers({ format: orNull(isOutputFormat), effort: orNull(isString) })),
  metadata: orNull(isObject),
};

export const isCountTokensRequest: Check = hasMembers(COMMON, ['model', 'messages']);

export const isMessagesRequest: Check = hasMembers(
  {
    ...COMMON,
    max_tokens: isInteger(0),
    stream: orNull(isBoolean),
    temperature: orNull(isNumber),
    top_p: orNull(isNumber),
    top_k: orNull(isNumber),
    stop_sequences: orNull(isArrayOf(isString)),
  },
  ['model', 'messages', 'max_tokens'],
);
