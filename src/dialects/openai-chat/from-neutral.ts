import type { NeutralRequest } from '../../core/answer.js';
import { assertNever } from '../../core/assert-never.js';
import type { JsonObject } from '../../core/json.js';
import type { MediaSource, Message, OutputSchema, Part } from '../../core/message.js';
import { stringifyInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';
import { type ChatTraits, OPENAI_TRAITS, type RenderTarget } from '../dialect.js';
import { flatMapInSteps, mapInSteps } from '../texts/fields.js';
import { cacheControlOf } from '../translate/cache-control.js';
import { dataUrl } from '../translate/media.js';
import { resolveOutputSchema, withOutputTool } from '../translate/output-tool.js';
import { NOTHING_SAID, withOurWords } from '../translate/prompts.js';
import { effortOf } from '../translate/reasoning.js';
import { signatureForProvider } from '../translate/signature.js';
import { refuseWhatProviderLacks } from '../translate/unsupported.js';
import { refuseTranslation } from '../wire/check.js';
import { withoutUndefined } from '../wire/values.js';
import { fitRequestMembers } from './fit.js';
import { writeTool, writeToolCall, writeToolChoice } from './tools.js';

export function* fromNeutral(neutral: NeutralRequest, wanted: RenderTarget): Steps<string> {
  const target = resolveOutputSchema(wanted, neutral.outputSchema);
  const request = withOutputTool(neutral, target);
  refuseWhatProviderLacks(request, 'openai.chat');
  const schema = target.outputSchema === 'native' ? request.outputSchema : undefined;
  const traits = target.traits ?? OPENAI_TRAITS;
  const askForUsage = traits.streamOptions && request.stream && (request.streamUsage || target.askForUsage);
  const write = (message: Message) => writeMessage(message, traits);
  const body = withoutUndefined({
    model: target.model,
    messages: withSomeTurn(yield* flatMapInSteps(withOurWords(request, target), write)),
    stream: request.stream ? true : undefined,
    stream_options: askForUsage ? { include_usage: true } : undefined,
    [traits.maxTokens]: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    seed: request.seed,
    stop: request.stop,
    n: request.choiceCount,
    tools: yield* mapInSteps(request.tools, (tool) => writeTool(tool, traits)),
    tool_choice: writeToolChoice(request.toolChoice),
    // The API refuses this field in a request without tools.
    parallel_tool_calls: request.tools === undefined ? undefined : request.parallelToolCalls,
    response_format:
      schema === undefined
        ? request.outputJson
          ? { type: 'json_object' }
          : undefined
        : {
            type: 'json_schema',
            json_schema: writeSchema(schema),
          },
    reasoning_effort: effortOf(request.reasoning),
    user: request.user,
    store: target.metadata === undefined ? undefined : true,
    metadata: target.metadata,
  });
  return yield* stringifyInSteps(fitRequestMembers(body, traits));
}

function writeSchema({ schema, name = 'output', description, strict }: OutputSchema): JsonObject {
  return withoutUndefined({ schema, name, description, strict });
}

export function writeMessage(message: Message, traits: ChatTraits = OPENAI_TRAITS): JsonObject[] {
  const name: JsonObject = message.name === undefined ? {} : { name: message.name };
  switch (message.role) {
    case 'system':
    case 'developer':
      return [{ role: roleOf(message.role, traits), content: writeContent(message.parts, traits), ...name }];
    case 'assistant':
      return writeAssistant(message.parts, traits).map((written) => ({ ...written, ...name }));
    case 'user':
    case 'tool':
      return writeUserTurn(message.parts, name, traits);
    default:
      return assertNever(message.role);
  }
}

/** Tool results are separate messages here and can only contain text, so their images follow as a user message. */
function writeUserTurn(parts: readonly Part[], name: JsonObject, traits: ChatTraits): JsonObject[] {
  const results = parts.filter((part) => part.type === 'tool-result');
  const media = results.flatMap((result) => result.parts.filter((part) => part.type !== 'text'));
  const rest = [...media, ...parts.filter((part) => part.type !== 'tool-result')];
  const tools = results.map((result) => ({
    role: 'tool',
    tool_call_id: result.callId,
    content: writeContent(
      result.parts.filter((part) => part.type === 'text'),
      traits,
    ),
  }));
  if (rest.length === 0) return tools;
  return [...tools, { role: 'user', content: writeContent(rest, traits), ...name }];
}

/**
 * An assistant's turn; none for one without content, which every server refuses. Reasoning is sent back only to
 * servers that expect it.
 */
function writeAssistant(parts: readonly Part[], traits: ChatTraits): JsonObject[] {
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [writeToolCall(part)] : []));
  const said = parts.filter(
    (part) =>
      part.type !== 'tool-call' && part.type !== 'reasoning' && !(part.type === 'text' && part.text === ''),
  );
  if (calls.length === 0 && said.length === 0) return [];
  const content = said.length === 0 ? null : writeContent(said, traits);
  const message: JsonObject = { role: 'assistant', content, ...writeReasoning(parts, traits) };
  if (calls.length > 0) message.tool_calls = calls;
  return [message];
}

/** Reasoning with a proof is sent back only to the API that made it. Reasoning without a proof does not show who made it. */
function writeReasoning(parts: readonly Part[], traits: ChatTraits): JsonObject {
  const { reasoning, reasoningDetails, reasoningNeeded } = traits;
  if (reasoning === undefined) return {};
  const own = parts.flatMap((part): { text: string; signature?: string }[] => {
    if (part.type !== 'reasoning') return [];
    if (part.signature === undefined) return [{ text: part.text }];
    const signature = signatureForProvider(part.signature, 'openai.chat');
    return signature === undefined ? [] : [{ text: part.text, signature }];
  });
  const text = own.map((part) => part.text).join('');
  const calls = parts.some(({ type }) => type === 'tool-call');
  const details = own.flatMap((part) =>
    part.signature === undefined
      ? []
      : [{ type: 'reasoning.text', text: part.text, signature: part.signature }],
  );
  return withoutUndefined({
    [reasoning]: text !== '' || (reasoningNeeded && calls) ? text : undefined,
    reasoning_details: reasoningDetails && details.length > 0 ? details : undefined,
  });
}

function roleOf(role: 'system' | 'developer', { developer }: ChatTraits): string {
  return developer ? role : 'system';
}

/** A request needs a turn to answer: a system prompt alone is sent as the user's message. */
function withSomeTurn(messages: JsonObject[]): JsonObject[] {
  return messages.length > 0 ? messages : [{ role: 'user', content: NOTHING_SAID }];
}

function writeContent(parts: readonly Part[], traits: ChatTraits): string | JsonObject[] {
  const [only] = parts;
  if (only === undefined) return '';
  const isMarked = traits.cacheControl && parts.some((part) => cacheControlOf(part) !== undefined);
  if (parts.length === 1 && only.type === 'text' && !isMarked) return only.text;
  return parts.map((part) => {
    const mark = traits.cacheControl ? cacheControlOf(part) : undefined;
    const written = writePart(part);
    if (mark !== undefined) written.cache_control = mark;
    return written;
  });
}

function writePart(part: Part): JsonObject {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'refusal':
      return { type: 'refusal', refusal: part.text };
    case 'image':
      return {
        type: 'image_url',
        image_url: withoutUndefined({ url: imageUrl(part.source), detail: part.detail }),
      };
    case 'document':
      return writeDocument(part);
    case 'reasoning':
    case 'tool-call':
    case 'tool-result':
    case 'other':
      return refuseTranslation('messages', `it has no place for a part of type ${part.type} there`);
    default:
      return assertNever(part);
  }
}

function imageUrl(source: MediaSource): string {
  if (source.kind === 'url') return source.url;
  if (source.kind === 'base64') return dataUrl(source);
  return refuseTranslation('messages', 'a file that was uploaded to another provider is not known there');
}

/** The API refuses documents by URL, and a text document can be sent as text. */
function writeDocument(part: Extract<Part, { type: 'document' }>): JsonObject {
  const { source } = part;
  switch (source.kind) {
    case 'text':
      return { type: 'text', text: source.text };
    case 'base64':
      return {
        type: 'file',
        file: { filename: part.filename ?? part.title ?? 'document', file_data: dataUrl(source) },
      };
    case 'url':
      return refuseTranslation('messages', 'it takes no document by URL');
    case 'file':
      return refuseTranslation('messages', 'a file that was uploaded to another provider is not known there');
    default:
      return assertNever(source);
  }
}
