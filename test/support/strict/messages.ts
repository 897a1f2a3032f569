import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/core/json.js';
import { asObject, isName, objects, onlyMembers, type Say, texts } from './checks.js';

/** Keywords of JSON Schema that the API does not allow in output schemas. */
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

export function checkMessages(body: JsonObject, say: Say): void {
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
      'thread',
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
  // A thread continues turns that the provider has stored, so its messages may have any order.
  if (asObject(body.thread).type !== 'continue') checkTurns(turns, say);
  checkThinking(body, turns, say);
  const schema = asObject(asObject(body.output_config).format).schema;
  if (schema !== undefined) checkOutputSchema(schema, say);
}

function checkThinking(body: JsonObject, turns: JsonObject[], say: Say): void {
  const { type, budget_tokens } = asObject(body.thinking);
  if (type !== 'enabled' && type !== 'adaptive') return;
  const forced = ['any', 'tool'].includes(String(asObject(body.tool_choice).type));
  say(!forced, 'Thinking may not be enabled when tool_choice forces tool use.');
  say(
    body.temperature === undefined || body.temperature === 1,
    '`temperature` may only be set to 1 when thinking',
  );
  say(body.top_k === undefined, '`top_k` must be unset when thinking is enabled');
  if (type !== 'enabled') return;
  const budget = Number(budget_tokens);
  say(budget >= 1024, 'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024');
  say(budget < Number(body.max_tokens), '`max_tokens` must be greater than `thinking.budget_tokens`');
  const blocks = objects(turns.findLast(({ role }) => role === 'assistant')?.content);
  say(
    !blocks.some((block) => block.type === 'tool_use') || /thinking$/.test(String(blocks[0]!.type)),
    'Expected `thinking` or `redacted_thinking`, but found another block, when thinking is enabled',
  );
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
      new Set(results).size === results.length,
      `messages.${index}: each tool_use must have a single result`,
    );
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
