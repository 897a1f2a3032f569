import type { NeutralRequest } from '../../core/answer.js';
import { assertNever } from '../../core/assert-never.js';
import type { JsonObject } from '../../core/json.js';
import type { MediaSource, Message, Part } from '../../core/message.js';
import { stringifyInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { RenderTarget } from '../dialect.js';
import { flatMapInSteps, mapInSteps } from '../texts/fields.js';
import { dataUrl } from '../translate/media.js';
import { resolveOutputSchema, withOutputTool } from '../translate/output-tool.js';
import { withOurWords } from '../translate/prompts.js';
import { effortOf } from '../translate/reasoning.js';
import { refuseWhatProviderLacks } from '../translate/unsupported.js';
import { refuseTranslation } from '../wire/check.js';
import { withoutUndefined } from '../wire/values.js';
import { writeTool, writeToolCall, writeToolChoice } from './tools.js';

export function* fromNeutral(neutral: NeutralRequest, wanted: RenderTarget): Steps<string> {
  const target = resolveOutputSchema(wanted, neutral.outputSchema);
  const request = withOutputTool(neutral, target);
  refuseWhatProviderLacks(request, 'openai.chat');
  const schema = target.outputSchema === 'native' ? request.outputSchema : undefined;
  const askForUsage = request.stream && (request.streamUsage || target.askForUsage);
  const body = withoutUndefined({
    model: target.model,
    messages: yield* flatMapInSteps(withOurWords(request, target), writeMessage),
    stream: request.stream ? true : undefined,
    stream_options: askForUsage ? { include_usage: true } : undefined,
    max_completion_tokens: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    seed: request.seed,
    stop: request.stop,
    n: request.choiceCount,
    tools: yield* mapInSteps(request.tools, writeTool),
    tool_choice: writeToolChoice(request.toolChoice),
    // Without tools the API refuses this field.
    parallel_tool_calls: request.tools === undefined ? undefined : request.parallelToolCalls,
    response_format:
      schema === undefined
        ? request.outputJson
          ? { type: 'json_object' }
          : undefined
        : {
            type: 'json_schema',
            json_schema: withoutUndefined({ ...schema, name: schema.name ?? 'output' }),
          },
    reasoning_effort: effortOf(request.reasoning),
    user: request.user,
    store: target.metadata === undefined ? undefined : true,
    metadata: target.metadata,
  });
  return yield* stringifyInSteps(body);
}

export function writeMessage(message: Message): JsonObject[] {
  const name: JsonObject = message.name === undefined ? {} : { name: message.name };
  switch (message.role) {
    case 'system':
    case 'developer':
      return [{ role: message.role, content: writeContent(message.parts), ...name }];
    case 'assistant':
      return [{ ...writeAssistant(message.parts), ...name }];
    case 'user':
    case 'tool':
      return writeUserTurn(message.parts, name);
    default:
      return assertNever(message.role);
  }
}

/** Results of tools are messages of their own here, and hold text alone: their images follow as the user's. */
function writeUserTurn(parts: readonly Part[], name: JsonObject): JsonObject[] {
  const results = parts.filter((part) => part.type === 'tool-result');
  const media = results.flatMap((result) => result.parts.filter((part) => part.type !== 'text'));
  const rest = [...media, ...parts.filter((part) => part.type !== 'tool-result')];
  const tools = results.map((result) => ({
    role: 'tool',
    tool_call_id: result.callId,
    content: writeContent(result.parts.filter((part) => part.type === 'text')),
  }));
  if (rest.length === 0 && tools.length > 0) return tools;
  return [...tools, { role: 'user', content: writeContent(rest), ...name }];
}

/** Reasoning stays here: the API takes none back. */
function writeAssistant(parts: readonly Part[]): JsonObject {
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [writeToolCall(part)] : []));
  const said = parts.filter((part) => part.type !== 'tool-call' && part.type !== 'reasoning');
  const message: JsonObject = { role: 'assistant', content: said.length === 0 ? null : writeContent(said) };
  if (calls.length > 0) message.tool_calls = calls;
  return message;
}

function writeContent(parts: readonly Part[]): string | JsonObject[] {
  const [only] = parts;
  if (only === undefined) return '';
  if (parts.length === 1 && only.type === 'text') return only.text;
  return parts.map(writePart);
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

/** The API takes no document by URL; a text document is as well said as text. */
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
