import type { NeutralRequest } from '../../core/answer.js';
import { assertNever } from '../../core/assert-never.js';
import type { JsonObject } from '../../core/json.js';
import { append } from '../../core/lists/append.js';
import type { MediaSource, Message, Part } from '../../core/message.js';
import { stringifyInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { RenderTarget } from '../dialect.js';
import { flatMapInSteps, mapInSteps } from '../texts/fields.js';
import { dataUrl } from '../translate/media.js';
import { resolveOutputSchema, withOutputTool } from '../translate/output-tool.js';
import { withOurWords } from '../translate/prompts.js';
import { effortOf } from '../translate/reasoning.js';
import { signatureForProvider } from '../translate/signature.js';
import { refuseWhatProviderLacks } from '../translate/unsupported.js';
import { refuseTranslation } from '../wire/check.js';
import { withoutUndefined } from '../wire/values.js';
import { writeTool, writeToolChoice } from './tools.js';

export function* fromNeutral(neutral: NeutralRequest, wanted: RenderTarget): Steps<string> {
  const target = resolveOutputSchema(wanted, neutral.outputSchema);
  const request = withOutputTool(neutral, target);
  refuseWhatProviderLacks(request, 'openai.responses');
  const { instructions, messages } = splitInstructions(withOurWords(request, target));
  const effort = effortOf(request.reasoning);
  return yield* stringifyInSteps(
    withoutUndefined({
      model: target.model,
      instructions,
      input: yield* flatMapInSteps(messages, writeMessage),
      stream: request.stream ? true : undefined,
      max_output_tokens: request.maxOutputTokens,
      temperature: request.temperature,
      top_p: request.topP,
      tools: yield* mapInSteps(request.tools, writeTool),
      tool_choice: writeToolChoice(request.toolChoice),
      parallel_tool_calls: request.parallelToolCalls,
      text: writeText(request, target),
      reasoning: effort === undefined ? undefined : { effort },
      // The client keeps the conversation itself, so the answer must contain everything that a next request
      // needs.
      include: effort === undefined ? undefined : ['reasoning.encrypted_content'],
      user: request.user,
      store: target.metadata !== undefined,
      metadata: target.metadata,
    }),
  );
}

function splitInstructions(messages: readonly Message[]): {
  instructions?: string;
  messages: readonly Message[];
} {
  const [first, ...rest] = messages;
  const texts = first?.parts.map((part) => (part.type === 'text' ? part.text : undefined));
  if (first?.role !== 'system' || texts === undefined || texts.includes(undefined)) return { messages };
  return { instructions: texts.join('\n\n'), messages: rest };
}

/** The items of a message, in order. Parts that are not items of their own are joined to messages. */
export function writeMessage(message: Message): JsonObject[] {
  const items: JsonObject[] = [];
  let content: JsonObject[] = [];
  const flush = () => {
    if (content.length > 0) items.push({ type: 'message', role: messageRole(message), content });
    content = [];
  };
  for (const part of message.parts) {
    const item = writeOwnItem(part);
    if (item === undefined) {
      content.push(writePart(part, message.role));
    } else {
      flush();
      append(items, item);
    }
  }
  flush();
  return items;
}

function messageRole(message: Message): string {
  return message.role === 'tool' ? 'user' : message.role;
}

/** The item of a part. Undefined for a part that belongs inside a message. */
function writeOwnItem(part: Part): JsonObject[] | undefined {
  switch (part.type) {
    case 'tool-call':
      return [{ type: 'function_call', call_id: part.id, name: part.name, arguments: part.arguments }];
    case 'tool-result':
      return [{ type: 'function_call_output', call_id: part.callId, output: writeOutput(part.parts) }];
    case 'reasoning': {
      const signature =
        part.signature === undefined ? undefined : signatureForProvider(part.signature, 'openai.responses');
      // The API does not accept reasoning without its signature.
      if (signature === undefined) return [];
      const summary = part.text === '' ? [] : [{ type: 'summary_text', text: part.text }];
      return [{ type: 'reasoning', summary, encrypted_content: signature }];
    }
    case 'text':
    case 'refusal':
    case 'image':
    case 'document':
    case 'other':
      return undefined;
    default:
      return assertNever(part);
  }
}

function writeOutput(parts: readonly Part[]): string | JsonObject[] {
  const [only] = parts;
  if (only === undefined) return '';
  if (parts.length === 1 && only.type === 'text') return only.text;
  return parts.map((part) => writePart(part, 'tool'));
}

function writePart(part: Part, role: Message['role']): JsonObject {
  switch (part.type) {
    case 'text':
      return { type: role === 'assistant' ? 'output_text' : 'input_text', text: part.text };
    case 'refusal':
      return { type: 'refusal', refusal: part.text };
    case 'image':
      return { type: 'input_image', image_url: mediaUrl(part.source), detail: part.detail ?? 'auto' };
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

function mediaUrl(source: MediaSource): string {
  if (source.kind === 'url') return source.url;
  if (source.kind === 'base64') return dataUrl(source);
  return refuseTranslation('messages', 'a file that was uploaded to another provider is not known there');
}

function writeDocument(part: Extract<Part, { type: 'document' }>): JsonObject {
  const { source } = part;
  if (source.kind === 'text') return { type: 'input_text', text: source.text };
  const filename = part.filename ?? part.title;
  if (source.kind === 'url') return withoutUndefined({ type: 'input_file', file_url: source.url, filename });
  return { type: 'input_file', filename: filename ?? 'document', file_data: mediaUrl(source) };
}

function writeText(request: NeutralRequest, target: RenderTarget): JsonObject | undefined {
  const schema = target.outputSchema === 'native' ? request.outputSchema : undefined;
  if (schema !== undefined) {
    return { format: withoutUndefined({ type: 'json_schema', ...schema, name: schema.name ?? 'output' }) };
  }
  return request.outputJson ? { format: { type: 'json_object' } } : undefined;
}
