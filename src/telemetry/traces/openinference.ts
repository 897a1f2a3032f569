import type { Attributes } from '@opentelemetry/api';
import type { Answer, NeutralRequest } from '../../core/answer.js';
import type { AttemptRecord } from '../../core/log-record.js';
import type { Message, Part } from '../../core/message.js';
import type { ExchangeDetails } from '../exchange-details.js';
import type { Lookup } from '../metrics/outcomes.js';
import { OPENINFERENCE, OPENINFERENCE_PROVIDERS } from '../names.js';
import { inputMessages, outputMessages, systemInstructions } from './content.js';

/*
 * The attributes of OpenInference, in addition to those of the GenAI conventions, for backends that read only these. Lists
 * are written as flat attributes: `llm.input_messages.0.message.role`.
 */

export function kindOf(kind: 'CHAIN' | 'LLM' | 'GUARDRAIL'): Attributes {
  return { [OPENINFERENCE.spanKind]: kind };
}

/** The attributes of one attempt. `answer` belongs to the last attempt. */
export function llmAttributes(
  { provider, model, usage }: AttemptRecord,
  { request }: ExchangeDetails,
  answer: Answer | undefined,
  lookup: Lookup,
): Attributes {
  const api = lookup.provider(provider)?.api;
  const counted = usage === null || usage.estimated ? undefined : usage;
  return {
    [OPENINFERENCE.spanKind]: 'LLM',
    [OPENINFERENCE.model]: answer?.model || model,
    [OPENINFERENCE.provider]: api && OPENINFERENCE_PROVIDERS[api].provider,
    [OPENINFERENCE.system]: api && OPENINFERENCE_PROVIDERS[api].system,
    [OPENINFERENCE.parameters]: request && invocationParameters(request),
    [OPENINFERENCE.inputTokens]: counted?.input_tokens,
    [OPENINFERENCE.outputTokens]: counted?.output_tokens,
    [OPENINFERENCE.totalTokens]: counted && counted.input_tokens + counted.output_tokens,
    [OPENINFERENCE.cacheReadTokens]: counted?.cached_input_tokens,
    [OPENINFERENCE.cacheWriteTokens]: counted?.cache_creation_input_tokens,
    [OPENINFERENCE.reasoningTokens]: counted?.reasoning_tokens,
  };
}

function invocationParameters(request: NeutralRequest): string {
  const { messages: _messages, stream: _stream, streamUsage: _usage, tools: _tools, ...rest } = request;
  const { outputSchema: _schema, user: _user, ...parameters } = rest;
  return JSON.stringify(parameters);
}

/** The attributes with content, which only spans of operators who want it have. */
export function contentAttributes({ request, answer }: ExchangeDetails): Attributes {
  const ofRequest = request === undefined ? {} : inputAttributes(request);
  return Object.assign(ofRequest, answer === undefined ? {} : outputAttributes(answer));
}

function inputAttributes({ messages, tools = [] }: NeutralRequest): Attributes {
  const attributes: Attributes = {
    [OPENINFERENCE.inputValue]: `{"system":${systemInstructions(messages)},"messages":${inputMessages(messages)}}`,
    [OPENINFERENCE.inputType]: 'application/json',
  };
  for (const [index, { name, description, parameters }] of tools.entries()) {
    const schema = { type: 'function', function: { name, description, parameters } };
    attributes[`${OPENINFERENCE.tools}.${index}.${OPENINFERENCE.toolSchema}`] = JSON.stringify(schema);
  }
  return Object.assign(attributes, flatMessages(OPENINFERENCE.inputMessages, messages.flatMap(split)));
}

function outputAttributes({ choices }: Answer): Attributes {
  const messages = choices.map(({ parts }): Message => ({ role: 'assistant', parts }));
  return {
    [OPENINFERENCE.outputValue]: outputMessages(choices),
    [OPENINFERENCE.outputType]: 'application/json',
    ...flatMessages(OPENINFERENCE.outputMessages, messages.flatMap(split)),
  };
}

interface SaidMessage {
  role: string;
  parts: readonly Part[];
  callId?: string;
}

/** Splits a message, because in OpenInference a tool result is a message of its own. */
function split({ role, parts }: Message): SaidMessage[] {
  const results = parts.flatMap((part): SaidMessage[] =>
    part.type === 'tool-result' ? [{ role: 'tool', parts: part.parts, callId: part.callId }] : [],
  );
  const own = parts.filter(({ type }) => type !== 'tool-result');
  return own.length > 0 || results.length === 0 ? [...results, { role, parts: own }] : results;
}

function flatMessages(list: string, messages: readonly SaidMessage[]): Attributes {
  const attributes: Attributes = {};
  for (const [index, { role, parts, callId }] of messages.entries()) {
    const at = `${list}.${index}`;
    attributes[`${at}.${OPENINFERENCE.role}`] = role;
    const texts = parts.flatMap((part) =>
      part.type === 'text' || part.type === 'refusal' ? [part.text] : [],
    );
    if (texts.length > 0) attributes[`${at}.${OPENINFERENCE.content}`] = texts.join('\n');
    if (callId !== undefined) attributes[`${at}.${OPENINFERENCE.callId}`] = callId;
    const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
    for (const [callIndex, call] of calls.entries()) {
      const callAt = `${at}.${OPENINFERENCE.calls}.${callIndex}`;
      attributes[`${callAt}.${OPENINFERENCE.toolCallId}`] = call.id;
      attributes[`${callAt}.${OPENINFERENCE.functionName}`] = call.name;
      attributes[`${callAt}.${OPENINFERENCE.functionArguments}`] = call.arguments;
    }
  }
  return attributes;
}
