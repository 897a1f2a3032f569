import type { LeftOut, NeutralRequest } from '../../src/core/answer.js';
import { editMembers, type JsonDocument, type JsonObject, memberText } from '../../src/core/json.js';
import type { Message, OfferedTools, Part, ToolChoice, ToolDefinition } from '../../src/core/message.js';
import { stringifyInSteps } from '../../src/core/pacing/json-in-pieces.js';
import type { Steps } from '../../src/core/pacing/steps.js';
import type { RenderTarget, RequestView } from '../../src/dialects/dialect.js';
import { withContextTexts, withRequest } from '../../src/dialects/texts/context-texts.js';
import * as read from '../../src/dialects/texts/fields.js';
import { carriedMessages } from '../../src/dialects/translate/carried-messages.js';
import { offeredTools } from '../../src/dialects/translate/offered-tools.js';
import { samplingParameters } from '../../src/dialects/translate/parameters.js';
import { correctionTurns, schemaPrompt, withOurWords } from '../../src/dialects/translate/prompts.js';
import * as check from '../../src/dialects/wire/check.js';
import { refuseTranslation } from '../../src/dialects/wire/check.js';
import { extendTurns } from '../../src/dialects/wire/extend-turns.js';
import type { Path } from '../../src/dialects/wire/splice.js';
import * as values from '../../src/dialects/wire/values.js';
import * as members from './members.js';

/* A request of Cohere's Chat API, version 2: read, edited in place, and to the neutral form and back. */

const expectRequest = check.expectMembers(
  {
    model: check.expectNonEmptyString,
    messages: check.expectArrayOf(
      check.expectMembers({ role: check.expectOneOf('system', 'user', 'assistant', 'tool') }, ['role']),
      1,
    ),
    stream: check.orNull(check.expectBoolean),
    metadata: check.orNull(check.expectObject),
    temperature: check.orNull(check.expectNumber),
  },
  ['model', 'messages'],
);

/** Settings that differ in their names alone. */
const NUMBERS = {
  max_tokens: 'maxOutputTokens',
  temperature: 'temperature',
  p: 'topP',
  k: 'topK',
  frequency_penalty: 'frequencyPenalty',
  presence_penalty: 'presencePenalty',
  seed: 'seed',
} as const;

// biome-ignore lint/correctness/useYield: one step is enough for its shape.
export function* readRequest({ value }: JsonDocument): Steps<RequestView> {
  check.checkShape(expectRequest, value);
  const schema = values.asObject(value.response_format)?.json_schema;
  return values.dropUndefined<RequestView>({
    model: value.model as string,
    stream: value.stream === true,
    metadata: values.asObject(value.metadata) ?? null,
    store: false,
    streamUsage: true,
    choiceCount: 1,
    outputSchema: schema === undefined ? undefined : { schema },
    parameters: samplingParameters(value, { top_p: value.p ?? null, top_k: value.k ?? null }),
  });
}

/** The places of all texts go along with them: that is how changed ones are written back. */
function* readMessage(message: JsonObject, path: Path): Steps<read.PlacedMessage> {
  const { parts, ...places } = yield* readTurn(message, path);
  if (message.role === 'tool') {
    const callId = values.asString(message.tool_call_id) ?? '';
    return read.toMessage('tool', { ...places, parts: [{ type: 'tool-result', callId, parts }] });
  }
  return read.toMessage(message.role as 'system' | 'user' | 'assistant', { ...places, parts });
}

/** The messages as plugins see them. */
export function* guardedReadings(request: JsonObject): Steps<read.PlacedMessage[]> {
  const placed = yield* read.readObjects(request.messages, function* (message, index) {
    const path = ['messages', index];
    return yield* withContextTexts(yield* readMessage(message, path), message, path, members.message);
  });
  return yield* withRequest(placed, request, members.request, ['messages']);
}

/** Content, then what the model planned and called; in a request and in an answer. */
export function* readTurn(message: JsonObject, path: Path): Steps<read.PlacedParts> {
  const placed = yield* readContent(message, path);
  if (typeof message.tool_plan === 'string') {
    read.addPart(placed, { type: 'reasoning', text: message.tool_plan }, { path: [...path, 'tool_plan'] });
  }
  for (const [index, call] of values.asArray(message.tool_calls).entries()) {
    const { id, function: target } = values.asObject(call) ?? {};
    const { name, arguments: text } = values.asObject(target) ?? {};
    const place = { path: [...path, 'tool_calls', index, 'function', 'arguments'] };
    const part = { id: values.asString(id) ?? '', name: values.asString(name) ?? '' };
    read.addPart(placed, { type: 'tool-call', ...part, arguments: values.asString(text) ?? '' }, place);
    if (read.endsStep(index)) yield;
  }
  return placed;
}

function* readContent({ content }: JsonObject, path: Path): Steps<read.PlacedParts> {
  const placed = read.emptyParts();
  if (typeof content === 'string') {
    read.addPart(placed, { type: 'text', text: content }, { path: [...path, 'content'] });
  }
  for (const [index, part] of values.asArray(content).entries()) {
    const place = [...path, 'content', index];
    const { type, text, thinking } = values.asObject(part) ?? {};
    if (type === 'text' && typeof text === 'string') {
      read.addPart(placed, { type, text }, { path: [...place, 'text'] });
    } else if (type === 'thinking' && typeof thinking === 'string') {
      read.addPart(placed, { type: 'reasoning', text: thinking }, { path: [...place, 'thinking'] });
    } else {
      yield* read.addOther(placed, part, place, members.part);
    }
    if (read.endsStep(index)) yield;
  }
  return placed;
}

/** The API has no metadata, so it never goes on. */
export function adaptRequest(document: JsonDocument, view: RequestView, target: RenderTarget): string {
  const changes = new Map<string, string | undefined>([['metadata', undefined]]).set(
    'model',
    JSON.stringify(target.model),
  );
  const schema = target.outputSchema === 'native' ? undefined : view.outputSchema;
  if (schema !== undefined) changes.set('response_format', undefined);
  const prompt = schema !== undefined && target.outputSchema === 'prompt' ? schemaPrompt(schema) : undefined;
  const old = memberText(document.text, 'messages')!;
  const turns = correctionTurns(target.correction).flatMap(writeMessage);
  const messages = extendTurns(old, document.value.messages, prompt, turns);
  if (messages !== undefined) changes.set('messages', messages);
  return editMembers(document.text, changes);
}

export function* toNeutral({ value }: JsonDocument, view: RequestView): Steps<NeutralRequest> {
  if (values.asArray(value.documents).length > 0) refuseTranslation('documents', 'only this API knows them');
  const placed = yield* read.readObjects(value.messages, (message, index) =>
    readMessage(message, ['messages', index]),
  );
  const leftOut: LeftOut[] = [];
  const messages = carriedMessages(placed, leftOut);
  const numbers = Object.entries(NUMBERS).map(([name, setting]) => [setting, values.asNumber(value[name])]);
  return values.dropUndefined<NeutralRequest>({
    ...(Object.fromEntries(numbers) as Partial<NeutralRequest>),
    messages,
    stream: view.stream,
    streamUsage: true,
    stop: Array.isArray(value.stop_sequences) ? (value.stop_sequences as string[]) : undefined,
    tools: Array.isArray(value.tools) ? functionsOf(value) : undefined,
    toolChoice: choiceOf(value),
    outputSchema: view.outputSchema,
    leftOut: leftOut.length === 0 ? undefined : leftOut,
  });
}

export function readTools({ value }: JsonDocument): OfferedTools {
  return offeredTools(functionsOf(value), false, choiceOf(value));
}

function functionsOf(value: JsonObject): ToolDefinition[] {
  return values.asObjects(value.tools).map((tool) => ({ name: '', ...values.asObject(tool.function) }));
}

function choiceOf({ tool_choice: written }: JsonObject): ToolChoice | undefined {
  const choice = values.asString(written)?.toLowerCase();
  return choice === 'none' || choice === 'required' ? { type: choice } : undefined;
}

export function* fromNeutral(request: NeutralRequest, target: RenderTarget): Steps<string> {
  if (request.choiceCount !== undefined) refuseTranslation('n', 'it gives one answer to a request');
  const { toolChoice: choice, outputSchema: output } = request;
  // A tool by name is a choice among that one.
  const tools = request.tools?.filter((tool) => choice?.type !== 'tool' || tool.name === choice.name);
  const numbers = Object.entries(NUMBERS).map(([name, setting]) => [name, request[setting]]);
  const native = output !== undefined && target.outputSchema === 'native';
  const body = {
    ...Object.fromEntries(numbers),
    model: target.model,
    messages: yield* read.flatMapInSteps(withOurWords(request, target), writeMessage),
    stream: request.stream,
    stop_sequences: request.stop,
    tools: tools?.map(({ strict: _strict, ...tool }) => ({ type: 'function', function: tool })),
    tool_choice:
      choice === undefined || choice.type === 'auto'
        ? undefined
        : choice.type === 'none'
          ? 'NONE'
          : 'REQUIRED',
    response_format: native ? { type: 'json_object', json_schema: output.schema } : undefined,
  };
  return yield* stringifyInSteps(body as JsonObject);
}

function writeMessage({ role, parts }: Message): JsonObject[] {
  const results = parts.filter((part) => part.type === 'tool-result');
  const calls = parts.filter((part) => part.type === 'tool-call').map(writeCall);
  const content = parts.filter((part) => !['tool-call', 'tool-result', 'reasoning'].includes(part.type));
  const messages: JsonObject[] = results.map(({ callId, parts: inside }) => {
    return { role: 'tool', tool_call_id: callId, content: inside.map(writePart) };
  });
  if (content.length === 0 && calls.length === 0) return messages;
  const who = role === 'developer' ? 'system' : role === 'tool' ? 'user' : role;
  const message: JsonObject = { role: who, content: content.map(writePart) };
  if (calls.length > 0) message.tool_calls = calls;
  return [...messages, message];
}

export function writeCall(call: Extract<Part, { type: 'tool-call' }>): JsonObject {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } };
}

function writePart(part: Part): JsonObject {
  if (part.type === 'text' || part.type === 'refusal') return { type: 'text', text: part.text };
  return refuseTranslation('messages', `it has no place for a part of type ${part.type}`);
}
