import type { Answer, Choice } from '../../core/answer.js';
import { assertNever } from '../../core/assert-never.js';
import { editMembers, type JsonDocument, type JsonObject, memberText } from '../../core/json.js';
import type { FinishReason, Part, ToolDefinition, Usage } from '../../core/message.js';
import { stringifyInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';
import { atOnce } from '../../core/pacing/steps.js';
import type { AnswerExtras, RenderTarget, RequestView } from '../dialect.js';
import { answerAdapter } from '../texts/answer-adapter.js';
import { flatMapInSteps, jsonObjectOf } from '../texts/fields.js';
import { outputTool, outputToolChoice, resolveOutputSchema } from '../translate/output-tool.js';
import { correctionTurns, schemaPrompt } from '../translate/prompts.js';
import { isForeign } from '../translate/signature.js';
import { type Edit, extendArray, spliceValues } from '../wire/splice.js';
import { asArray, asObject, asString, withoutUndefined } from '../wire/values.js';
import { writeContents } from './from-neutral.js';
import { keyOf, memberOf, snakeCase } from './names.js';
import { placedAnswer } from './parse.js';
import { readProof, showProof, writeWithProofs } from './proofs.js';
import { readToolChoice, writeTool, writeToolConfig } from './tools.js';

export function adaptRequest(document: JsonDocument, view: RequestView, wanted: RenderTarget): string {
  const target = resolveOutputSchema(wanted, view.outputSchema);
  // The model is in the path, and the provider does not know `metadata`.
  const changes = new Map<string, string | undefined>([
    ['model', undefined],
    ['metadata', undefined],
  ]);
  const contents = adaptContents(document, target);
  if (contents !== undefined) changes.set('contents', contents);
  const { outputSchema: output } = view;
  if (output !== undefined && target.outputSchema !== 'native') {
    const key = keyOf(document.value, 'generationConfig');
    changes.set(key, withoutSchema(memberText(document.text, key)!));
    if (target.outputSchema === 'prompt') {
      changes.set(keyOf(document.value, 'systemInstruction'), withPrompt(document, schemaPrompt(output)));
    }
    const tool = outputTool(target, output);
    if (tool !== undefined)
      for (const [name, text] of outputToolMembers(document, tool)) changes.set(name, text);
  }
  return editMembers(document.text, changes, document.outline);
}

const SCHEMA_MEMBERS = ['responseSchema', 'responseJsonSchema', 'responseMimeType'];

function withoutSchema(config: string): string | undefined {
  const names = SCHEMA_MEMBERS.flatMap((name) => [name, snakeCase(name)]);
  const rest = editMembers(config, new Map(names.map((name) => [name, undefined])));
  return rest === '{}' ? undefined : rest;
}

function withPrompt(document: JsonDocument, prompt: string): string {
  const old = memberText(document.text, keyOf(document.value, 'systemInstruction'));
  const part = JSON.stringify({ text: prompt });
  if (old === undefined || old === 'null') return `{"parts":[${part}]}`;
  return spliceValues(old, [{ path: ['parts'], write: (parts) => extendArray(parts, [], [part]) }]);
}

function outputToolMembers(document: JsonDocument, tool: ToolDefinition): Map<string, string> {
  const { tools } = document.value;
  const hasTools = Array.isArray(tools) && tools.length > 0;
  const declared = JSON.stringify({ functionDeclarations: [writeTool(tool)] });
  const old = hasTools ? memberText(document.text, 'tools')! : '[]';
  const changes = new Map([['tools', extendArray(old, [], [declared])]]);
  const choice = outputToolChoice(tool.name, hasTools, readToolChoice(document.value)?.type);
  if (choice !== undefined) {
    changes.set(keyOf(document.value, 'toolConfig'), JSON.stringify(writeToolConfig(choice)));
  }
  return changes;
}

/** The contents with the gateway's own prompts added, or undefined where they do not change. */
function adaptContents(document: JsonDocument, target: RenderTarget): string | undefined {
  const edits = foreignProofs(document.value);
  if (target.correction === undefined && edits.length === 0) return undefined;
  const own = spliceValues(memberText(document.text, 'contents')!, edits);
  const turns = atOnce(writeContents(correctionTurns(target.correction)));
  return extendArray(
    own,
    [],
    turns.map((turn) => JSON.stringify(turn)),
  );
}

/** The edits that remove the proofs of another API's model from earlier turns. This API accepts only its own. */
function foreignProofs(request: JsonObject): Edit[] {
  return asArray(request.contents).flatMap((content, index) =>
    asArray(asObject(content)?.parts).flatMap((part, position) => {
      const object = asObject(part);
      const signature = readProof(asString(memberOf(object, 'thoughtSignature')));
      if (object === undefined || signature === undefined || !isForeign(signature, 'gemini.generate'))
        return [];
      const without = new Map([[keyOf(object, 'thoughtSignature'), undefined]]);
      return [{ path: [index, 'parts', position], write: (old: string) => editMembers(old, without) }];
    }),
  );
}

export const adaptAnswer = answerAdapter(placedAnswer);

export function* writeAnswer(
  answer: Answer,
  extras: AnswerExtras & { created: number; model: string },
): Steps<string> {
  const body = {
    inference_log_id: extras.logId,
    candidates: yield* flatMapInSteps(answer.choices, writeCandidate),
    usageMetadata: writeUsage(answer.usage),
    ...writeTail(answer, extras.model),
  };
  return yield* stringifyInSteps(body as JsonObject);
}

function* writeCandidate(choice: Choice): Steps<JsonObject[]> {
  const refused = choice.parts.some((part) => part.type === 'refusal');
  const candidate = withoutUndefined({
    content: { parts: yield* writeWithProofs(choice.parts, shownProof, writeAnswerPart), role: 'model' },
    finishReason: choice.finishReason === null ? undefined : writeFinishReason(choice.finishReason, refused),
    index: choice.index,
  });
  return [candidate];
}

/** A part that only another API knows is left out. */
function* writeAnswerPart(part: Part): Steps<JsonObject[]> {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ text: part.text }];
    case 'reasoning':
      return [{ text: part.text, thought: true, ...shownProof(part.signature) }];
    case 'tool-call':
      return [writeCall(part, yield* jsonObjectOf(part.arguments))];
    case 'image':
    case 'document':
    case 'tool-result':
    case 'other':
      return [];
    default:
      return assertNever(part);
  }
}

export function shownProof(signature: string | undefined): JsonObject {
  return signature === undefined ? {} : { thoughtSignature: showProof(signature) };
}

export function writeCall({ id, name }: { id: string; name: string }, args: JsonObject): JsonObject {
  return { functionCall: { id, name, args } };
}

const FINISH_REASONS: Record<FinishReason, string> = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  'tool-calls': 'STOP',
  'content-filter': 'SAFETY',
  refusal: 'SAFETY',
  pause: 'OTHER',
  other: 'OTHER',
};

/** `refused` says whether the answer is a refusal, which other APIs end with a plain stop. */
export function writeFinishReason(reason: FinishReason, refused: boolean): string {
  return reason === 'stop' && refused ? 'SAFETY' : FINISH_REASONS[reason];
}

/** The time as text. Undefined where this is not a valid time, because a provider can send any number. */
function timeOf(created: number): string | undefined {
  const date = new Date(created * 1000);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** The members that identify an answer, and its time where that is known. */
export function writeTail(
  answer: { id: string; model: string; created?: number },
  model: string,
): JsonObject {
  const { id, created } = answer;
  const time = created === undefined ? undefined : timeOf(created);
  return withoutUndefined({ modelVersion: answer.model || model, createTime: time, responseId: id });
}

export function writeUsage(usage: Usage | undefined): JsonObject | undefined {
  if (usage === undefined) return undefined;
  const { inputTokens, outputTokens, reasoningTokens } = usage;
  return withoutUndefined({
    promptTokenCount: inputTokens,
    candidatesTokenCount: outputTokens - (reasoningTokens ?? 0),
    totalTokenCount: inputTokens + outputTokens,
    cachedContentTokenCount: usage.cachedInputTokens,
    thoughtsTokenCount: reasoningTokens,
  });
}
