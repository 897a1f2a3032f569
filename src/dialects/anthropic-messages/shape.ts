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
 * The shape of a Messages request. Only what the API refuses is refused; unknown types of blocks and tools pass.
 */

const expectTextBlock = byMember('type', { text: expectMembers({ text: expectString }, ['text']) });

const expectSource = byMember('type', {
  base64: expectMembers({ media_type: expectString, data: expectString }, ['media_type', 'data']),
  text: expectMembers({ data: expectString }, ['data']),
  url: expectMembers({ url: expectString }, ['url']),
  file: expectMembers({ file_id: expectString }, ['file_id']),
});

const expectBlock: Check = byMember('type', {
  text: expectMembers({ text: expectString }, ['text']),
  image: expectMembers({ source: expectSource }, ['source']),
  document: expectMembers({ source: expectSource, title: orNull(expectString) }, ['source']),
  thinking: expectMembers({ thinking: expectString, signature: expectString }, ['thinking', 'signature']),
  redacted_thinking: expectMembers({ data: expectString }, ['data']),
  tool_use: expectMembers({ id: expectString, name: expectString, input: expectObject }, [
    'id',
    'name',
    'input',
  ]),
  tool_result: expectMembers(
    {
      tool_use_id: expectString,
      content: orNull(
        expectStringOr(expectArrayOf(byMember('type', {})), 'a string or an array of content blocks'),
      ),
      is_error: orNull(expectBoolean),
    },
    ['tool_use_id'],
  ),
});

const expectMessage = expectMembers(
  {
    role: expectOneOf('user', 'assistant', 'system'),
    content: expectStringOr(expectArrayOf(expectBlock), 'a string or an array of content blocks'),
  },
  ['role', 'content'],
);

const expectOutputFormat = byMember('type', {
  json_schema: expectMembers({ schema: expectSchema }, ['schema']),
});

/** The members that a message and a count of its tokens have in common. */
const COMMON: Record<string, Check> = {
  model: expectNonEmptyString,
  messages: expectArrayOf(expectMessage, 1),
  system: orNull(expectStringOr(expectArrayOf(expectTextBlock), 'a string or an array of text blocks')),
  tools: orNull(expectArrayOf(expectMembers({ name: expectNonEmptyString, input_schema: expectObject }))),
  tool_choice: orNull(byMember('type', { tool: expectMembers({ name: expectString }, ['name']) })),
  thinking: orNull(
    byMember('type', { enabled: expectMembers({ budget_tokens: expectInteger(1) }, ['budget_tokens']) }),
  ),
  output_config: orNull(expectMembers({ format: orNull(expectOutputFormat), effort: orNull(expectString) })),
  metadata: orNull(expectObject),
};

export const expectCountTokensRequest: Check = expectMembers(COMMON, ['model', 'messages']);

export const expectMessagesRequest: Check = expectMembers(
  {
    ...COMMON,
    max_tokens: expectInteger(0),
    stream: orNull(expectBoolean),
    temperature: orNull(expectNumber),
    top_p: orNull(expectNumber),
    top_k: orNull(expectNumber),
    stop_sequences: orNull(expectArrayOf(expectString)),
  },
  ['model', 'messages', 'max_tokens'],
);
