import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/core/json.js';
import { asObject, hasContent, isName, objects, onlyMembers, type Say, texts } from './checks.js';

/**
 * Servers of Chat Completions. `open` has OpenAI's rules, but ignores members of messages that it does not know, because
 * clients send its reasoning back, and LiteLLM adds members itself.
 */
export type ChatServer = 'openai' | 'open' | 'mistral' | 'deepseek' | 'openrouter';

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

export function checkChat(body: JsonObject, server: ChatServer, say: Say): void {
  if (server === 'openai' || server === 'open') onlyMembers(body, OPENAI_REQUEST, '', say);
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
  if (server === 'mistral') checkOrder(objects(messages), say);
}

function checkChatMessages(messages: JsonObject[], server: ChatServer, say: Say): void {
  const hasOpenAiRoles = server === 'openai' || server === 'open' || server === 'openrouter';
  const maySayNothing = server === 'openai' || server === 'open';
  const open = new Set<string>();
  messages.forEach((message, index) => {
    const at = `messages[${index}]`;
    const roles = ['system', 'user', 'assistant', 'tool', ...(hasOpenAiRoles ? ['developer'] : [])];
    say(roles.includes(String(message.role)), `${at}.role ${String(message.role)} is not known`);
    if (server === 'openai') onlyMembers(message, OPENAI_MESSAGE, at, say);
    if (server === 'mistral')
      onlyMembers(message, ['role', 'content', 'name', 'tool_calls', 'tool_call_id', 'prefix'], at, say);
    const calls = objects(message.tool_calls);
    if (message.role === 'assistant') {
      say(
        calls.length > 0 || hasContent(message.content) || (maySayNothing && message.content === ''),
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

/** Checks the order of turns, which only Mistral restricts. */
function checkOrder(messages: JsonObject[], say: Say): void {
  const roles = messages.map(({ role }) => String(role));
  roles.forEach((role, index) => {
    say(!(role === 'user' && roles[index - 1] === 'tool'), "Unexpected role 'user' after role 'tool'");
  });
  const last = messages.at(-1);
  say(
    last?.role === 'user' || last?.role === 'tool' || last?.prefix === true,
    'Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant',
  );
}

function isCallId(id: JsonValue | undefined, server: ChatServer): boolean {
  if (typeof id !== 'string' || id === '') return false;
  return server === 'mistral' ? /^[a-zA-Z0-9]{9}$/.test(id) : id.length <= 40;
}
