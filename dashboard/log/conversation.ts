/*
 * Turns the bodies of a log, in any API, into turns that people can read. Clients and models write the bodies, so any
 * member may be missing or have another type, and unknown values are shown as they are.
 */

import { indentJson } from '../ui/indent-json.ts';

export type Part =
  | { kind: 'text'; text: string }
  | { kind: 'reasoning'; text: string }
  | { kind: 'image'; url: string }
  | { kind: 'tool-call'; name: string; text: string }
  | { kind: 'tool-result'; text: string }
  | { kind: 'other'; value: unknown };

export interface Turn {
  role: string;
  parts: Part[];
}

type Json = Record<string, unknown>;

export interface Bodies {
  api: string;
  request: unknown;
  response: unknown;
  /** What the client got, where it differs from the model's answer. */
  client_response?: unknown;
}

/** The turns of the request. They have the order that the places of findings refer to. */
export function askedTurns({ api, request }: Bodies): Turn[] {
  const body = objectOf(request);
  if (api === 'openai.responses') {
    const first = typeof body.instructions === 'string' ? [turn('system', body.instructions)] : [];
    if (typeof body.input === 'string') return [...first, turn('user', body.input)];
    return [...first, ...listOf(body.input).map(readItem)];
  }
  if (api === 'gemini.generate') {
    const system = objectOf(body.systemInstruction ?? body.system_instruction);
    return [
      ...(Array.isArray(system.parts) ? [{ role: 'system', parts: system.parts.map(readGeminiPart) }] : []),
      ...listOf(body.contents).map((content) => geminiTurn(content, 'user')),
    ];
  }
  // Requests for completions, embeddings and moderations have texts without a conversation.
  const texts = body.messages === undefined ? (body.prompt ?? body.input) : undefined;
  if (texts !== undefined) return textsOf(texts).map(readText);
  const system = body.system === undefined ? [] : [turn('system', body.system)];
  return [...system, ...listOf(body.messages).map(readMessage)];
}

/** The turns of the answer, one for each choice. */
export function answerTurns({ api, response }: Bodies): Turn[] {
  const body = objectOf(response);
  if (Array.isArray(body.choices)) return body.choices.map(readChoice);
  if (Array.isArray(body.output)) return body.output.map(readItem);
  if (api === 'gemini.generate') {
    return listOf(body.candidates).map((candidate) => geminiTurn(objectOf(candidate).content, 'assistant'));
  }
  if (api === 'anthropic.messages' && Array.isArray(body.content)) return [turn('assistant', body.content)];
  return [];
}

/** What the client got in place of the model's answer, where a plugin changed it; undefined where none did. */
export function clientTurns({ api, client_response }: Bodies): Turn[] | undefined {
  if (client_response === undefined) return undefined;
  return answerTurns({ api, request: null, response: client_response });
}

/** The text of an answer, for a rater to improve. */
export function answerText(bodies: Bodies): string {
  return textOf(answerTurns(bodies).slice(0, 1));
}

export function textOf(turns: Turn[]): string {
  const texts = turns.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])),
  );
  return texts.join('\n\n');
}

/** The last text of the user, shortened. */
export function lastQuestion(bodies: Bodies): string {
  const turns = askedTurns(bodies).filter(({ role }) => role === 'user');
  return textOf(turns.slice(-1));
}

/** A list of token numbers counts as one text. */
function textsOf(value: unknown): unknown[] {
  return Array.isArray(value) && typeof value[0] !== 'number' ? value : [value];
}

function readText(value: unknown): Turn {
  return turn('user', typeof value === 'string' || Array.isArray(value) ? plain(value) : [value]);
}

function readChoice(value: unknown): Turn {
  const { message, text } = objectOf(value);
  return readMessage(message ?? { content: text });
}

function readMessage(value: unknown): Turn {
  const message = objectOf(value);
  const role = typeof message.role === 'string' ? message.role : 'assistant';
  if (role === 'tool') return { role, parts: [{ kind: 'tool-result', text: plain(message.content) }] };
  const reasoning = message.reasoning_content ?? message.reasoning;
  return {
    role,
    parts: [
      ...(typeof reasoning === 'string' ? [{ kind: 'reasoning', text: reasoning } as const] : []),
      ...readContent(message.content),
      ...(typeof message.refusal === 'string' ? [{ kind: 'text', text: message.refusal } as const] : []),
      ...listOf(message.tool_calls).map(readCall),
    ],
  };
}

/** An item of the Responses API: a message, or another kind of item. */
function readItem(value: unknown): Turn {
  const item = objectOf(value);
  switch (item.type) {
    case 'function_call':
      return { role: 'assistant', parts: [callPart(item.name, item.arguments)] };
    case 'function_call_output':
      return { role: 'tool', parts: [{ kind: 'tool-result', text: plain(item.output) }] };
    case 'reasoning':
      return { role: 'assistant', parts: [{ kind: 'reasoning', text: plain(item.summary) }] };
    case 'message':
    case undefined:
      return readMessage(item);
    default:
      return { role: 'assistant', parts: [{ kind: 'other', value }] };
  }
}

function turn(role: string, content: unknown): Turn {
  return { role, parts: readContent(content) };
}

function readContent(content: unknown): Part[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return [{ kind: 'text', text: content }];
  return Array.isArray(content) ? content.map(readPart) : [{ kind: 'other', value: content }];
}

function readPart(value: unknown): Part {
  const part = objectOf(value);
  switch (part.type) {
    case 'text':
    case 'input_text':
    case 'output_text':
      if (typeof part.text === 'string') return { kind: 'text', text: part.text };
      break;
    case 'refusal':
      return { kind: 'text', text: plain(part.refusal) };
    case 'thinking':
      return { kind: 'reasoning', text: plain(part.thinking) };
    case 'image_url':
      return imagePart(objectOf(part.image_url).url);
    case 'input_image':
      return imagePart(part.image_url);
    case 'image':
      return imagePart(imageSource(objectOf(part.source)));
    case 'tool_use':
      return callPart(part.name, part.input);
    case 'tool_result':
      return { kind: 'tool-result', text: plain(part.content) };
  }
  return { kind: 'other', value };
}

/** A turn of Gemini's API, which calls a message `content`. */
function geminiTurn(content: unknown, unnamed: string): Turn {
  const { role = unnamed, parts } = objectOf(content);
  return { role: role === 'model' ? 'assistant' : String(role), parts: listOf(parts).map(readGeminiPart) };
}

/** Gemini's API takes member names in camel case and in snake case. */
function readGeminiPart(value: unknown): Part {
  const part = objectOf(value);
  if (typeof part.text === 'string')
    return { kind: part.thought === true ? 'reasoning' : 'text', text: part.text };
  const call = part.functionCall ?? part.function_call;
  if (call !== undefined) return callPart(objectOf(call).name, objectOf(call).args);
  const result = part.functionResponse ?? part.function_response;
  if (result !== undefined) return { kind: 'tool-result', text: plain(objectOf(result).response) };
  const inline = objectOf(part.inlineData ?? part.inline_data);
  const mediaType = String(inline.mimeType ?? inline.mime_type ?? '');
  if (mediaType.startsWith('image/')) return imagePart(`data:${mediaType};base64,${inline.data}`);
  return { kind: 'other', value };
}

function readCall(value: unknown): Part {
  const called = objectOf(objectOf(value).function);
  return callPart(called.name, called.arguments);
}

export function callPart(name: unknown, parameters: unknown): Part {
  return {
    kind: 'tool-call',
    name: typeof name === 'string' ? name : 'tool',
    text: parametersText(parameters),
  };
}

function parametersText(parameters: unknown): string {
  if (typeof parameters !== 'string') return JSON.stringify(parameters, null, 2) ?? '';
  return indentJson(parameters) ?? parameters;
}

function imageSource(source: Json): unknown {
  return source.type === 'base64' ? `data:${source.media_type};base64,${source.data}` : source.url;
}

function imagePart(url: unknown): Part {
  return { kind: 'image', url: typeof url === 'string' ? url : '' };
}

/** The text itself, the texts of its parts, or the JSON of any other value. */
function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((part) => typeof objectOf(part).text === 'string')) {
    return value.map((part) => objectOf(part).text).join('\n');
  }
  return value === undefined || value === null ? '' : JSON.stringify(value, null, 2);
}

function objectOf(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
