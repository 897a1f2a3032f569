import { isDeepStrictEqual } from 'node:util';
import type { LeftOut, NeutralRequest } from '../../core/answer.js';
import type { DialectId } from '../../core/dialect-ids.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import { ownProperty } from '../../core/own-property.js';
import { refuseTranslation } from '../wire/check.js';

/** What happens to a field when a request goes to a provider of another dialect. */
export interface TranslationRule {
  dialect: DialectId;
  field: string;
  /**
   * `refuse`: status 400 that names the field. `leave out`: left out with a header in the answer, because the answer
   * may be worse without it. `drop`: left out, because the answer is as good without it.
   */
  action: 'refuse' | 'leave out' | 'drop';
  /** Values that mean the same as leaving the field out; they are never refused. Null always is one of them. */
  unless?: JsonValue[];
  why: string;
}

const chat = rulesOf('openai.chat');
const responses = rulesOf('openai.responses');
const messages = rulesOf('anthropic.messages');
const gemini = rulesOf('gemini.generate');

/**
 * The fields of a request that no other dialect has. Fields that are neither in this table nor in the neutral form
 * are dropped. docs/dialects.md shows this table, which a test checks.
 */
export const TRANSLATION_RULES: readonly TranslationRule[] = [
  chat('audio', 'refuse', 'the answer would lack its sound'),
  chat('modalities', 'refuse', 'the answer can only be text', [['text']]),
  chat('logprobs', 'refuse', 'the probabilities are not known', [false]),
  chat('top_logprobs', 'refuse', 'the probabilities are not known', [0]),
  chat('logit_bias', 'refuse', 'token numbers belong to one model', [{}]),
  chat('functions', 'refuse', 'use `tools`', [[]]),
  chat('function_call', 'refuse', 'use `tool_choice`', ['auto', 'none']),
  chat('web_search_options', 'leave out', 'the tool runs at the provider'),
  chat('prediction', 'drop', 'it only makes the answer faster'),
  chat('service_tier', 'drop', 'it chooses a price of one provider'),
  chat('store', 'drop', 'the log is kept here'),
  chat('prompt_cache_key', 'drop', 'it only makes the answer cheaper'),
  chat('prompt_cache_retention', 'drop', 'it only makes the answer cheaper'),
  chat('safety_identifier', 'drop', 'it is an id for one provider'),
  chat('verbosity', 'drop', 'models only follow it roughly'),
  responses('previous_response_id', 'refuse', 'the conversation is stored at one provider'),
  responses('conversation', 'refuse', 'the conversation is stored at one provider'),
  responses('prompt', 'refuse', 'the prompt is stored at one provider'),
  responses('top_logprobs', 'refuse', 'the probabilities are not known', [0]),
  responses('store', 'drop', 'this gateway keeps the log, and no request can continue an answer by its id'),
  responses('include', 'drop', 'it asks for details that other APIs do not return'),
  responses('text.verbosity', 'drop', 'models only follow it roughly'),
  responses('truncation', 'drop', 'a conversation that is too long is then an error'),
  responses('context_management', 'drop', 'a conversation that is too long is then an error'),
  responses('max_tool_calls', 'drop', 'it limits tools that run at the provider, which are left out'),
  responses('moderation', 'drop', 'it only adds details about the answer'),
  responses('stream_options', 'drop', 'it only changes how the stream looks'),
  responses('service_tier', 'drop', 'it chooses a price of one provider'),
  responses('prompt_cache_key', 'drop', 'it only makes the answer cheaper'),
  responses('prompt_cache_options', 'drop', 'it only makes the answer cheaper'),
  responses('prompt_cache_retention', 'drop', 'it only makes the answer cheaper'),
  responses('safety_identifier', 'drop', 'it is an id for one provider'),
  messages('thread', 'refuse', 'the conversation is stored at one provider'),
  messages('container', 'refuse', 'the container is at one provider'),
  messages('mcp_servers', 'leave out', 'the tools run at the provider', [[]]),
  messages('context_management', 'drop', 'a conversation that is too long is then an error'),
  messages('cache_control', 'drop', 'it only makes the answer cheaper'),
  messages('service_tier', 'drop', 'it chooses a price of one provider'),
  messages('inference_geo', 'refuse', 'it is not known where another provider computes'),
  messages('speed', 'drop', 'it only makes the answer faster'),
  messages('diagnostics', 'drop', 'it only adds details about the answer'),
  gemini('cachedContent', 'refuse', 'the content is stored at one provider'),
  gemini('generationConfig.responseModalities', 'refuse', 'the answer can only be text', [['TEXT']]),
  gemini('generationConfig.speechConfig', 'refuse', 'the answer can only be text'),
  gemini('generationConfig.responseLogprobs', 'refuse', 'the probabilities are not known', [false]),
  gemini('safetySettings', 'drop', 'each provider has settings of its own'),
  gemini('labels', 'drop', 'they are for the bills of one provider'),
  gemini('generationConfig.mediaResolution', 'drop', 'it only makes the answer cheaper'),
];

/** What happens to a neutral setting at a provider whose API lacks it. */
export interface LackingRule {
  dialect: DialectId;
  setting: keyof NeutralRequest;
  /** The name of the field in an error. */
  param: string;
  action: 'refuse' | 'drop';
  why: string;
}

/** The neutral settings that a provider's API lacks. Writers leave out those that are dropped. */
export const LACKING_RULES: readonly LackingRule[] = [
  lacking('anthropic.messages', 'choiceCount', 'n', 'refuse', 'it gives one answer to a request'),
  lacking(
    'gemini.generate',
    'parallelToolCalls',
    'parallel_tool_calls',
    'drop',
    'models only follow it roughly',
  ),
  lacking('anthropic.messages', 'seed', 'seed', 'drop', 'no API promises the same answer again'),
  lacking(
    'anthropic.messages',
    'frequencyPenalty',
    'frequency_penalty',
    'drop',
    'models only follow it roughly',
  ),
  lacking(
    'anthropic.messages',
    'presencePenalty',
    'presence_penalty',
    'drop',
    'models only follow it roughly',
  ),
  lacking('openai.chat', 'topK', 'top_k', 'drop', 'models only follow it roughly'),
  lacking('openai.responses', 'choiceCount', 'n', 'refuse', 'it gives one answer to a request'),
  lacking('openai.responses', 'stop', 'stop', 'refuse', 'it has no stop sequences'),
  lacking('openai.responses', 'seed', 'seed', 'drop', 'no API promises the same answer again'),
  lacking(
    'openai.responses',
    'frequencyPenalty',
    'frequency_penalty',
    'drop',
    'models only follow it roughly',
  ),
  lacking('openai.responses', 'presencePenalty', 'presence_penalty', 'drop', 'models only follow it roughly'),
  lacking('openai.responses', 'topK', 'top_k', 'drop', 'models only follow it roughly'),
];

function lacking(
  dialect: DialectId,
  setting: keyof NeutralRequest,
  param: string,
  action: LackingRule['action'],
  why: string,
): LackingRule {
  return { dialect, setting, param, action, why };
}

type RuleMaker = (
  field: string,
  action: TranslationRule['action'],
  why: string,
  unless?: JsonValue[],
) => TranslationRule;

function rulesOf(dialect: DialectId): RuleMaker {
  return (field, action, why, unless) => ({
    dialect,
    field,
    action,
    why,
    ...(unless === undefined ? {} : { unless }),
  });
}

/**
 * Throws `invalid_request` for the first field that must not be left out. Returns the fields that the answer must
 * name as left out.
 */
export function refuseUntranslatable(request: JsonObject, dialect: DialectId): LeftOut[] {
  const leftOut: LeftOut[] = [];
  for (const rule of TRANSLATION_RULES) {
    if (rule.dialect !== dialect || rule.action === 'drop') continue;
    const value = valueAt(request, rule.field);
    if (
      value === undefined ||
      value === null ||
      rule.unless?.some((harmless) => isDeepStrictEqual(harmless, value))
    )
      continue;
    if (rule.action === 'refuse') refuseTranslation(rule.field, rule.why);
    leftOut.push({ path: rule.field, what: rule.field, why: rule.why });
  }
  return leftOut;
}

/** The value at a dotted path. A camelCase name also finds its snake_case form, because Google accepts both. */
function valueAt(request: JsonObject, field: string): JsonValue | undefined {
  let value: JsonValue | undefined = request;
  for (const name of field.split('.')) {
    if (!isJsonObject(value)) return undefined;
    const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    value = ownProperty(value, name) ?? ownProperty(value, snake);
  }
  return value;
}

/** Throws `invalid_request` for the first setting that a provider of this dialect must have. */
export function refuseWhatProviderLacks(request: NeutralRequest, dialect: DialectId): void {
  for (const rule of LACKING_RULES) {
    if (rule.dialect !== dialect || rule.action !== 'refuse') continue;
    const value = request[rule.setting];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    refuseTranslation(rule.param, rule.why);
  }
}
