import type { Answer } from '../../core/answer.js';
import { assertNever } from '../../core/assert-never.js';
import {
  editMembers,
  type JsonDocument,
  type JsonObject,
  type JsonValue,
  memberText,
} from '../../core/json.js';
import type { FinishReason, Part, ToolDefinition, Usage } from '../../core/message.js';
import { stringifyInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { AnswerContext, RenderTarget, RequestView } from '../dialect.js';
import { answerAdapter } from '../texts/answer-adapter.js';
import { flatMapInSteps } from '../texts/fields.js';
import {
  editOutputTool,
  openaiChoiceType,
  outputTool,
  resolveOutputSchema,
} from '../translate/output-tool.js';
import { correctionTurns, schemaPrompt } from '../translate/prompts.js';
import { isForeign, signatureForClient } from '../translate/signature.js';
import { extendArray, extendString, removeItems } from '../wire/splice.js';
import { asArray, asObject } from '../wire/values.js';
import { CallNames } from './client-tools.js';
import { writeMessage } from './from-neutral.js';
import { placedOutput } from './parse.js';
import { writeTool, writeToolChoice } from './tools.js';

export function adaptRequest(document: JsonDocument, view: RequestView, wanted: RenderTarget): string {
  const target = resolveOutputSchema(wanted, view.outputSchema);
  const changes = new Map<string, string | undefined>([['model', JSON.stringify(target.model)]]);
  if (target.metadata === undefined) changes.set('metadata', undefined);
  else if (target.metadata !== view.metadata) changes.set('metadata', JSON.stringify(target.metadata));
  if (view.outputSchema !== undefined && target.outputSchema !== 'native') {
    changes.set('text', withoutFormat(document));
    if (target.outputSchema === 'prompt') {
      changes.set('instructions', withPrompt(document, schemaPrompt(view.outputSchema)));
    }
  }
  const input = adaptInput(document, target);
  if (input !== undefined) changes.set('input', input);
  const tool = outputTool(target, view.outputSchema);
  if (tool !== undefined) for (const [key, text] of outputToolMembers(document, tool)) changes.set(key, text);
  return editMembers(document.text, changes, document.outline);
}

function outputToolMembers(document: JsonDocument, tool: ToolDefinition): Map<string, string> {
  const choice = openaiChoiceType(document.value.tool_choice);
  return editOutputTool(document, { tool, writeTool, writeChoice: writeToolChoice }, choice);
}

/** The rest of `text`, or undefined where nothing remains. */
function withoutFormat(document: JsonDocument): string | undefined {
  const rest = editMembers(memberText(document.text, 'text')!, new Map([['format', undefined]]));
  return rest === '{}' ? undefined : rest;
}

function withPrompt(document: JsonDocument, prompt: string): string {
  const old = memberText(document.text, 'instructions');
  return old?.startsWith('"') ? extendString(old, `\n\n${prompt}`) : JSON.stringify(prompt);
}

/** The input with the gateway's own prompts added, or undefined where it does not change. */
function adaptInput(document: JsonDocument, target: RenderTarget): string | undefined {
  const foreign = foreignReasoning(document.value.input);
  if (target.correction === undefined && foreign.size === 0) return undefined;
  const after = correctionTurns(target.correction)
    .flatMap(writeMessage)
    .map((item) => JSON.stringify(item));
  const old = memberText(document.text, 'input');
  if (old?.startsWith('[')) return extendArray(removeItems(old, foreign), [], after);
  const first = old?.startsWith('"') ? [`{"role":"user","content":${old}}`] : [];
  return extendArray('[]', first, after);
}

/** The reasoning items of another API's model in earlier turns. This API does not accept them. */
function foreignReasoning(input: JsonValue | undefined): Set<number> {
  const positions = new Set<number>();
  asArray(input).forEach((item, index) => {
    const proof = asObject(item)?.encrypted_content;
    if (typeof proof === 'string' && isForeign(proof, 'openai.responses')) positions.add(index);
  });
  return positions;
}

export const adaptAnswer = answerAdapter(function* (body) {
  return [yield* placedOutput(body)];
});

/** The API has one choice. A request for more is never translated to an API with one choice. */
export function* writeAnswer(answer: Answer, context: AnswerContext): Steps<string> {
  const choice = answer.choices[0];
  const parts = choice?.parts ?? [];
  const refused = parts.some((part) => part.type === 'refusal');
  const calls = new CallNames(context.request);
  return yield* stringifyInSteps(
    writeResponse(
      {
        logId: context.logId,
        id: answer.id,
        created: answer.created ?? context.created,
        model: answer.model === '' ? context.model : answer.model,
        text: repeatedText(context.request),
      },
      yield* flatMapInSteps(parts, (part, index) => writeItem(part, context.logId, index, calls)),
      endReason(choice?.finishReason ?? 'stop', refused),
      answer.usage,
    ),
  );
}

export interface ResponseHead {
  logId: string;
  id: string;
  created: number;
  model: string;
  text: JsonValue;
}

/**
 * The API repeats the requested text format, and clients rely on it: LangChain parses JSON only where it is present.
 */
export function repeatedText(request: JsonValue | undefined): JsonValue {
  return asObject(request)?.text ?? { format: { type: 'text' } };
}

/** A whole response object. `reason` is null while the answer is not complete. */
export function writeResponse(
  head: ResponseHead,
  output: JsonObject[],
  reason: FinishReason | null,
  usage: Usage | undefined,
): JsonObject {
  const cutBy = reason === null ? undefined : INCOMPLETE_REASONS[reason];
  const ended = cutBy === undefined ? 'completed' : 'incomplete';
  return {
    inference_log_id: head.logId,
    id: head.id,
    object: 'response',
    created_at: head.created,
    status: reason === null ? 'in_progress' : ended,
    error: null,
    incomplete_details: cutBy === undefined ? null : { reason: cutBy },
    instructions: null,
    metadata: {},
    model: head.model,
    output,
    parallel_tool_calls: true,
    previous_response_id: null,
    store: false,
    temperature: null,
    text: head.text,
    tool_choice: 'auto',
    tools: [],
    top_p: null,
    truncation: 'disabled',
    usage: usage === undefined ? null : writeUsage(usage),
  };
}

/** A refusal in its own field is a complete answer; otherwise the model was stopped. */
export function endReason(reason: FinishReason, refused: boolean): FinishReason {
  return reason === 'refusal' && refused ? 'stop' : reason;
}

const INCOMPLETE_REASONS: Partial<Record<FinishReason, string>> = {
  length: 'max_output_tokens',
  'content-filter': 'content_filter',
  refusal: 'content_filter',
};

/** A part of an answer as an item. A part that only another API knows is left out. */
function writeItem(part: Part, logId: string, index: number, calls: CallNames): JsonObject[] {
  switch (part.type) {
    case 'text':
      return [writeMessageItem(itemId('msg', logId, index), textPart(part.text), 'completed')];
    case 'refusal':
      return [writeMessageItem(itemId('msg', logId, index), refusalPart(part.text), 'completed')];
    case 'reasoning':
      return [writeReasoningItem(itemId('rs', logId, index), part.text, part.signature)];
    case 'tool-call':
      return [calls.writeItem(itemId(callPrefix(calls.kindOf(part)), logId, index), part, 'completed')];
    case 'image':
    case 'document':
    case 'tool-result':
    case 'other':
      return [];
    default:
      return assertNever(part);
  }
}

export type ItemPrefix = 'msg' | 'rs' | 'fc' | 'ctc' | 'lsh';

/** The beginning of the id of a call's item. */
export function callPrefix(kind: ReturnType<CallNames['kindOf']>): ItemPrefix {
  if (kind === 'custom') return 'ctc';
  return kind === 'local_shell' ? 'lsh' : 'fc';
}

/** Ids for items that came without one. They are unique, because log ids are. */
export function itemId(kind: ItemPrefix, logId: string, index: number): string {
  return `${kind}_${logId.replaceAll('-', '')}${index}`;
}

export function textPart(text: string): JsonObject {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

export function refusalPart(refusal: string): JsonObject {
  return { type: 'refusal', refusal };
}

export function writeMessageItem(id: string, part: JsonObject | undefined, status: string): JsonObject {
  return { id, type: 'message', role: 'assistant', status, content: part === undefined ? [] : [part] };
}

export function writeReasoningItem(id: string, text: string, signature: string | undefined): JsonObject {
  const proof: { [key: string]: JsonValue } =
    signature === undefined ? {} : { encrypted_content: signatureForClient(signature, 'openai.responses') };
  return { id, type: 'reasoning', summary: text === '' ? [] : [{ type: 'summary_text', text }], ...proof };
}

/** Client libraries expect the details, so unknown numbers are 0. */
export function writeUsage(usage: Usage): JsonObject {
  const written = usage.cacheCreationInputTokens;
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: {
      cached_tokens: usage.cachedInputTokens ?? 0,
      ...(written === undefined ? {} : { cache_write_tokens: written }),
    },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens ?? 0 },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}
