import type { ConversationId } from '../../src/core/dialect-ids.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/core/json.js';

/*
 * What the APIs of providers refuse in a request, as their references and their errors say. A request that was
 * translated, and that a provider would refuse, fails the test. Each rule gives the words of its complaint.
 */

/** Servers whose Chat Completions differ from OpenAI's own. */
export type ChatServer = 'openai' | 'mistral' | 'deepseek' | 'openrouter';

export interface Asked {
  dialect: ConversationId;
  body: JsonObject;
  /** Of Chat Completions. */
  server?: ChatServer;
  /** The provider's name of the model. */
  model?: string;
}

/** What the provider would complain of; empty for a request that it takes. */
export function complaints({ dialect, body, server = 'openai', model = '' }: Asked): string[] {
  const found: string[] = [];
  const say = (ok: boolean, complaint: string) => {
    if (!ok) found.push(complaint);
  };
  switch (dialect) {
    case 'openai.chat':
      checkChat(body, server, say);
      break;
    case 'openai.responses':
      checkResponses(body, say);
      break;
    case 'anthropic.messages':
      checkMessages(body, say);
      break;
    case 'gemini.generate':
      checkGenerate(body, model, say);
      break;
    default:
      throw new Error(`nothing is known of ${dialect}`);
  }
  return found;
}

type Say = (ok: boolean, complaint: string) => void;

// Chat Completions --------------------------------------------------------------------------------------

const OPENAI_REQUEST = [
  'model',
  'messages',
  'stream',
  'stream_options',
  'max_completion_tokens',
  'max_tokens',
  'temperature',
  'top_p',
  'frequency_penalty',
  'presence_penalty',
  'seed',
  'stop',
  'n',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'response_format',
  'reasoning_effort',
  'user',
  'store',
  'metadata',
  'logprobs',
  'top_logprobs',
  'logit_bias',
  'service_tier',
  'verbosity',
  'prompt_cache_key',
  'safety_identifier',
  'modalities',
  'audio',
  'prediction',
  'web_search_options',
  'functions',
  'function_call',
  'prompt_cache_retention',
];
const MISTRAL_REQUEST = [
  'model',
  'messages',
  'stream',
  'max_tokens',
  'temperature',
  'top_p',
  'stop',
  'random_seed',
  'response_format',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'presence_penalty',
  'frequency_penalty',
  'n',
  'prediction',
  'prompt_mode',
  'safe_prompt',
];
const OPENAI_MESSAGE = [
  'role',
  'content',
  'name',
  'tool_calls',
  'tool_call_id',
  'refusal',
  'audio',
  'function_call',
  'annotations',
];

function checkChat(body: JsonObject, server: ChatServer, say: Say): void {
  if (server === 'openai') onlyMembers(body, OPENAI_REQUEST, '', say);
  if (server === 'mistral') onlyMembers(body, MISTRAL_REQUEST, '', say);
  const { messages, stop, tools, user, metadata } = body;
  say(Array.isArray(messages) && messages.length > 0, "'messages' must not be empty");
  say(
    stop === undefined || texts(stop).length <= (server === 'deepseek' ? 16 : 4),
    "'stop' has more than 4 entries",
  );
  say(tools === undefined || objects(tools).length > 0, "'tools' must not be empty");
  say(body.tool_choice === undefined || tools !== undefined, "'tool_choice' is only allowed with 'tools'");
  say(
    body.parallel_tool_calls === undefined || tools !== undefined,
    "'parallel_tool_calls' is only allowed with 'tools'",
  );
  say(
    body.stream_options === undefined || body.stream === true,
    "'stream_options' is only allowed for streams",
  );
  say(typeof user !== 'string' || user.length <= 64, "'user' is longer than 64");
  if (isJsonObject(metadata)) {
    say(Object.keys(metadata).length <= 16, "'metadata' has more than 16 pairs");
    for (const value of Object.values(metadata))
      say(typeof value === 'string' && value.length <= 512, "a value of 'metadata' is too long");
  }
  for (const tool of objects(tools)) {
    say(
      tool.type === 'function' && isName(asObject(tool.function).name, 64),
      `tool ${String(asObject(tool.function).name)}: the name must match ^[a-zA-Z0-9_-]{1,64}$`,
    );
    if (server !== 'openrouter')
      say(tool.cache_control === undefined, "Unknown parameter: 'tools[0].cache_control'");
  }
  const format = asObject(asObject(body.response_format).json_schema);
  say(format.name === undefined || isName(format.name, 64), 'response_format.json_schema.name is no name');
  checkChatMessages(objects(messages), server, say);
}

function checkChatMessages(messages: JsonObject[], server: ChatServer, say: Say): void {
  const open = new Set<string>();
  messages.forEach((message, index) => {
    const at = `messages[${index}]`;
    const roles = [
      'system',
      'user',
      'assistant',
      'tool',
      ...(server === 'openai' || server === 'openrouter' ? ['developer'] : []),
    ];
    say(roles.includes(String(message.role)), `${at}.role ${String(message.role)} is not known`);
    if (server === 'openai') onlyMembers(message, OPENAI_MESSAGE, at, say);
    if (server === 'mistral')
      onlyMembers(message, ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'prefix'], at, say);
    const calls = objects(message.tool_calls);
    if (message.role === 'assistant') {
      say(
        calls.length > 0 || hasContent(message.content),
        `${at}: an assistant's message needs content or tool calls`,
      );
      say(message.tool_calls === undefined || calls.length > 0, `${at}.tool_calls must not be empty`);
    } else if (message.role !== 'tool') say(hasContent(message.content), `${at}.content must not be empty`);
    for (const part of objects(message.content)) {
      if (server !== 'openrouter')
        say(part.cache_control === undefined, `Unknown parameter: '${at}.content[0].cache_control'`);
      say(
        part.type !== 'text' || (typeof part.text === 'string' && part.text !== ''),
        `${at}: an empty text part`,
      );
    }
    for (const call of calls) {
      const { id, function: target } = call;
      say(isCallId(id, server), `${at}: the id of a call ${JSON.stringify(id)} is not valid`);
      say(
        isName(asObject(target).name, 64),
        `${at}: the name of a call ${JSON.stringify(asObject(target).name)} is not valid`,
      );
      say(typeof asObject(target).arguments === 'string', `${at}: the arguments of a call must be a string`);
      open.add(String(id));
    }
    if (message.role === 'tool') {
      say(
        open.has(String(message.tool_call_id)),
        `${at}: no call has the id ${JSON.stringify(message.tool_call_id)}`,
      );
      say(
        typeof message.content === 'string' || Array.isArray(message.content),
        `${at}.content must be a text`,
      );
    }
    if (server === 'deepseek' && calls.length > 0) {
      say(
        typeof message.reasoning_content === 'string',
        `${at}: Missing reasoning_content in assistant message with tool calls`,
      );
    }
  });
}

function isCallId(id: JsonValue | undefined, server: ChatServer): boolean {
  if (typeof id !== 'string' || id === '') return false;
  return server === 'mistral' ? /^[a-zA-Z0-9]{9}$/.test(id) : id.length <= 40;
}

// Responses ---------------------------------------------------------------------------------------------

function checkResponses(body: JsonObject, say: Say): void {
  const { input, tools } = body;
  say(typeof input === 'string' ? input !== '' : objects(input).length > 0, "'input' must not be empty");
  say(tools === undefined || objects(tools).length > 0, "'tools' must not be empty");
  for (const tool of objects(tools))
    say(tool.type !== 'function' || isName(tool.name, 64), 'the name of a tool is not valid');
  say(typeof body.user !== 'string' || body.user.length <= 64, "'user' is longer than 64");
  const calls = new Set<string>();
  for (const item of objects(input)) {
    if (item.type === 'function_call') {
      calls.add(String(item.call_id));
      say(
        typeof item.call_id === 'string' && item.call_id !== '' && item.call_id.length <= 64,
        'a call_id is not valid',
      );
    }
    if (item.type === 'function_call_output')
      say(calls.has(String(item.call_id)), 'No tool call found for function call output');
  }
}

// Messages ----------------------------------------------------------------------------------------------

/** Keywords of JSON Schema that output schemas may not have. */
const REFUSED_KEYWORDS = [
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'minLength',
  'maxLength',
  'pattern',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'patternProperties',
  'propertyNames',
  'if',
  'not',
  'oneOf',
  'contains',
  'prefixItems',
  'dependentRequired',
  'dependentSchemas',
];

function checkMessages(body: JsonObject, say: Say): void {
  const { messages, system, tools, temperature, top_p } = body;
  const turns = objects(messages);
  onlyMembers(
    body,
    [
      'model',
      'max_tokens',
      'system',
      'messages',
      'stream',
      'temperature',
      'top_p',
      'top_k',
      'stop_sequences',
      'tools',
      'tool_choice',
      'thinking',
      'output_config',
      'metadata',
      'context_management',
      'service_tier',
    ],
    '',
    say,
  );
  say(turns.length > 0, 'messages: at least one message is required');
  say(typeof body.max_tokens === 'number' && body.max_tokens > 0, 'max_tokens is required');
  say(
    temperature === undefined || top_p === undefined,
    '`temperature` and `top_p` cannot both be specified for this model',
  );
  say(typeof temperature !== 'number' || temperature <= 1, 'temperature: must be at most 1');
  for (const block of objects(system))
    say(block.type !== 'text' || block.text !== '', 'system: text content blocks must be non-empty');
  const user = asObject(body.metadata).user_id;
  say(typeof user !== 'string' || user.length <= 256, 'metadata.user_id is longer than 256');
  for (const stop of texts(body.stop_sequences))
    say(stop.trim() !== '', 'stop_sequences: each must contain non-whitespace');
  for (const tool of objects(tools)) {
    say(
      tool.type !== undefined || isName(tool.name, 128),
      `tools: the name ${String(tool.name)} is not valid`,
    );
    say(
      tool.type !== undefined || asObject(tool.input_schema).type === 'object',
      'tools: input_schema.type must be object',
    );
  }
  say(
    body.tool_choice === undefined || objects(tools).length > 0,
    'tool_choice may only be specified while providing tools',
  );
  checkTurns(turns, say);
  const schema = asObject(asObject(body.output_config).format).schema;
  if (schema !== undefined) checkOutputSchema(schema, say);
}

function checkTurns(turns: JsonObject[], say: Say): void {
  let calls: string[] = [];
  turns.forEach((turn, index) => {
    const last = index === turns.length - 1;
    const blocks =
      typeof turn.content === 'string' ? [{ type: 'text', text: turn.content }] : objects(turn.content);
    const isFinalAssistant = last && turn.role === 'assistant';
    say(blocks.length > 0 || isFinalAssistant, `messages.${index}: all messages must have non-empty content`);
    const results: string[] = [];
    for (const block of blocks as JsonObject[]) {
      if (block.type === 'text') {
        say(
          String(block.text).trim() !== '' || isFinalAssistant,
          `messages.${index}: text content blocks must contain non-whitespace text`,
        );
      }
      if (block.type === 'tool_use') {
        say(
          /^[a-zA-Z0-9_-]+$/.test(String(block.id)),
          `messages.${index}: tool_use.id ${String(block.id)} is not valid`,
        );
        say(isName(block.name, 200), `messages.${index}: tool_use.name is not valid`);
      }
      if (block.type === 'tool_result') results.push(String(block.tool_use_id));
      if (block.type === 'thinking')
        say(
          block.signature !== '' && block.signature !== undefined,
          `messages.${index}: thinking needs its signature`,
        );
      if (block.type === 'image') {
        const { type, media_type } = asObject(block.source);
        say(
          type !== 'base64' || /^image\/(jpeg|png|gif|webp)$/.test(String(media_type)),
          `messages.${index}: the media type ${String(media_type)} is not valid`,
        );
      }
    }
    if (calls.length > 0) {
      const missing = calls.filter((id) => !results.includes(id));
      say(
        missing.length === 0,
        `messages.${index}: tool_use ids were found without tool_result blocks: ${missing.join()}`,
      );
    }
    say(
      results.every((id) => calls.includes(id)),
      `messages.${index}: unexpected tool_use_id in tool_result`,
    );
    calls = (blocks as JsonObject[]).filter(({ type }) => type === 'tool_use').map(({ id }) => String(id));
  });
  const final = turns.at(-1);
  const finalText = final?.role === 'assistant' ? lastText(final.content) : '';
  say(
    finalText === finalText.trimEnd(),
    'messages: final assistant content cannot end with trailing whitespace',
  );
}

function lastText(content: JsonValue | undefined): string {
  if (typeof content === 'string') return content;
  const last = objects(content).at(-1);
  return last?.type === 'text' ? String(last.text) : '';
}

function checkOutputSchema(schema: JsonValue, say: Say): void {
  if (Array.isArray(schema)) {
    for (const one of schema) checkOutputSchema(one, say);
    return;
  }
  if (!isJsonObject(schema)) return;
  for (const keyword of REFUSED_KEYWORDS)
    say(schema[keyword] === undefined, `output_config.format.schema: ${keyword} is not supported`);
  const isObject = schema.type === 'object' || schema.properties !== undefined;
  say(
    !isObject || schema.additionalProperties === false,
    "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false",
  );
  const { minItems } = schema;
  say(
    minItems === undefined || minItems === 0 || minItems === 1,
    'output_config.format.schema: minItems other than 0 or 1 is not supported',
  );
  for (const name of ['properties', '$defs', 'definitions']) {
    for (const inside of Object.values(asObject(schema[name]))) checkOutputSchema(inside, say);
  }
  for (const name of ['items', 'anyOf', 'allOf'])
    if (schema[name] !== undefined) checkOutputSchema(schema[name], say);
}

// generateContent ---------------------------------------------------------------------------------------

function checkGenerate(body: JsonObject, model: string, say: Say): void {
  const contents = objects(body.contents);
  onlyMembers(
    body,
    [
      'contents',
      'systemInstruction',
      'tools',
      'toolConfig',
      'generationConfig',
      'safetySettings',
      'cachedContent',
      'labels',
    ],
    '',
    say,
  );
  say(contents.length > 0, 'contents is not specified');
  const declared = objects(body.tools).flatMap((tool) => objects(tool.functionDeclarations));
  for (const { name } of declared)
    say(
      /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/.test(String(name)),
      `the function name ${String(name)} is not valid`,
    );
  say(
    objects(body.tools).every(
      (tool) => tool.functionDeclarations === undefined || objects(tool.functionDeclarations).length > 0,
    ),
    'functionDeclarations must not be empty',
  );
  say(texts(asObject(body.generationConfig).stopSequences).length <= 5, 'at most 5 stopSequences');
  contents.forEach((content, index) => {
    const parts = objects(content.parts);
    say(parts.length > 0, `contents[${index}].parts must not be empty`);
    say(
      parts.every(
        (part) => typeof part.text !== 'string' || part.text !== '' || part.thoughtSignature !== undefined,
      ),
      `contents[${index}]: an empty text`,
    );
    const first = parts.find((part) => part.functionCall !== undefined);
    if (content.role === 'model' && first !== undefined && !/gemini-[12]/.test(model)) {
      say(
        typeof first.thoughtSignature === 'string' && first.thoughtSignature !== '',
        'Function call is missing a thought_signature in functionCall parts',
      );
    }
    const results = parts.filter((part) => part.functionResponse !== undefined).length;
    if (results === 0) return;
    const called = objects(contents[index - 1]?.parts).filter(
      (part) => part.functionCall !== undefined,
    ).length;
    say(
      called === results,
      'the number of function response parts must equal the number of function call parts of the function call turn',
    );
  });
}

// -------------------------------------------------------------------------------------------------------

function onlyMembers(value: JsonObject, known: readonly string[], at: string, say: Say): void {
  for (const name of Object.keys(value))
    say(known.includes(name), `Unknown parameter: '${at === '' ? '' : `${at}.`}${name}'`);
}

function hasContent(content: JsonValue | undefined): boolean {
  return typeof content === 'string' ? content !== '' : objects(content).length > 0;
}

function isName(name: JsonValue | undefined, longest: number): boolean {
  return typeof name === 'string' && /^[a-zA-Z0-9_-]+$/.test(name) && name.length <= longest;
}

function objects(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function texts(value: JsonValue | undefined): string[] {
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
