import type { Answer, Choice } from '../../core/answer.js';
import { assertNever } from '../../core/assert-never.js';
import {
  editMembers,
  type JsonDocument,
  type JsonObject,
  type JsonValue,
  memberText,
} from '../../core/json.js';
import type { FinishReason, Part, ToolChoice, ToolDefinition, Usage } from '../../core/message.js';
import { ownProperty } from '../../core/own-property.js';
import { stringifyInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';
import { atOnce } from '../../core/pacing/steps.js';
import type { AnswerExtras, RenderTarget, RequestView } from '../dialect.js';
import { answerAdapter } from '../texts/answer-adapter.js';
import { flatMapInSteps, jsonObjectOf } from '../texts/fields.js';
import { editOutputTool, outputTool, resolveOutputSchema } from '../translate/output-tool.js';
import { correctionTurns, schemaPrompt } from '../translate/prompts.js';
import { isForeign, REDACTED, signatureForClient } from '../translate/signature.js';
import { type Edit, extendArray, extendString, removeItems, spliceValues } from '../wire/splice.js';
import { asArray, asObject, asString, withoutUndefined } from '../wire/values.js';
import { writeTurns } from './from-neutral.js';
import { placedAnswer } from './parse.js';
import { writeChoice, writeTool } from './tools.js';

export function adaptRequest(document: JsonDocument, view: RequestView, wanted: RenderTarget): string {
  const target = resolveOutputSchema(wanted, view.outputSchema);
  const changes = new Map<string, string | undefined>([['model', JSON.stringify(target.model)]]);
  if (target.metadata === undefined) changes.set('metadata', undefined);
  else changes.set('metadata', JSON.stringify(target.metadata));
  // `store` is for the gateway. This API has no such member and would refuse it.
  changes.set('store', undefined);
  if (view.outputSchema !== undefined && target.outputSchema !== 'native') {
    changes.set('output_config', withoutFormat(document));
    if (target.outputSchema === 'prompt') {
      changes.set('system', withPrompt(document, schemaPrompt(view.outputSchema)));
    }
  }
  const messages = adaptMessages(document, target);
  if (messages !== undefined) changes.set('messages', messages);
  const tool = outputTool(target, view.outputSchema);
  if (tool !== undefined) for (const [key, text] of outputToolMembers(document, tool)) changes.set(key, text);
  return editMembers(document.text, changes, document.outline);
}

/** A model that is forced to call a tool cannot think first. */
function outputToolMembers(document: JsonDocument, tool: ToolDefinition): Map<string, string | undefined> {
  const chosen = ownProperty(CHOICE_TYPES, asString(asObject(document.value.tool_choice)?.type) ?? '');
  const members = editOutputTool(document, { tool, writeTool, writeChoice }, chosen);
  return new Map<string, string | undefined>([...members, ['thinking', undefined]]);
}

const CHOICE_TYPES: Record<string, ToolChoice['type']> = {
  auto: 'auto',
  none: 'none',
  any: 'required',
  tool: 'tool',
};

/** The messages with the gateway's own prompts added, or undefined where they do not change. */
function adaptMessages(document: JsonDocument, target: RenderTarget): string | undefined {
  const edits = foreignThinking(document.value.messages);
  if (target.correction === undefined && edits.length === 0) return undefined;
  const own = spliceValues(memberText(document.text, 'messages')!, edits);
  const turns = atOnce(writeTurns(correctionTurns(target.correction)));
  return extendArray(
    own,
    [],
    turns.map((turn) => JSON.stringify(turn)),
  );
}

/** The edits that remove the thinking of another API's model from earlier turns. This API refuses it. */
function foreignThinking(messages: JsonValue | undefined): Edit[] {
  return asArray(messages).flatMap((message, index) => {
    const content = asArray(asObject(message)?.content);
    const positions = new Set<number>();
    content.forEach((block, position) => {
      const { type, signature } = asObject(block) ?? {};
      if (type !== 'thinking' || typeof signature !== 'string') return;
      if (signature === '' || isForeign(signature, 'anthropic.messages')) positions.add(position);
    });
    // A turn must not become empty.
    if (positions.size === 0 || positions.size === content.length) return [];
    return [{ path: [index, 'content'], write: (old: string) => removeItems(old, positions) }];
  });
}

/** The rest of `output_config`, or undefined where nothing remains. */
function withoutFormat(document: JsonDocument): string | undefined {
  const rest = editMembers(memberText(document.text, 'output_config')!, new Map([['format', undefined]]));
  return rest === '{}' ? undefined : rest;
}

function withPrompt(document: JsonDocument, prompt: string): string {
  const old = memberText(document.text, 'system');
  if (old?.startsWith('[')) return extendArray(old, [], [JSON.stringify({ type: 'text', text: prompt })]);
  return old?.startsWith('"') ? extendString(old, `\n\n${prompt}`) : JSON.stringify(prompt);
}

export const adaptAnswer = answerAdapter(function* (body) {
  return [yield* placedAnswer(body)];
});

/** The API has one choice. A request for more is never translated to an API with one choice. */
export function* writeAnswer(
  answer: Answer,
  extras: AnswerExtras & { created: number; model: string },
): Steps<string> {
  const choice: Choice = answer.choices[0] ?? { index: 0, parts: [], finishReason: null };
  return yield* stringifyInSteps({
    inference_log_id: extras.logId,
    id: answer.id,
    type: 'message',
    role: 'assistant',
    model: answer.model === '' ? extras.model : answer.model,
    content: yield* flatMapInSteps(choice.parts, writeAnswerBlock),
    stop_reason:
      choice.finishReason === null
        ? null
        : writeStopReason(choice.finishReason, {
            refused: choice.parts.some((part) => part.type === 'refusal'),
            called: choice.parts.some((part) => part.type === 'tool-call'),
            sequence: answer.stopSequence !== undefined,
          }),
    stop_sequence: answer.stopSequence ?? null,
    usage: writeUsage(answer.usage),
  });
}

/** A part of an answer as a block. Parts that only another API has are left out. */
function* writeAnswerBlock(part: Part): Steps<JsonObject[]> {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ type: 'text', text: part.text }];
    case 'reasoning':
      return [writeThinking(part.text, part.signature)];
    case 'tool-call': {
      const input = yield* jsonObjectOf(part.arguments);
      return [{ type: 'tool_use', id: part.id, name: part.name, input }];
    }
    case 'image':
    case 'document':
    case 'tool-result':
    case 'other':
      return [];
    default:
      return assertNever(part);
  }
}

function writeThinking(thinking: string, signature: string | undefined): JsonObject {
  const shown = signature === undefined ? '' : signatureForClient(signature, 'anthropic.messages');
  if (shown.startsWith(REDACTED)) return { type: 'redacted_thinking', data: shown.slice(REDACTED.length) };
  return { type: 'thinking', thinking, signature: shown };
}

const STOP_REASONS: Record<FinishReason, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  'tool-calls': 'tool_use',
  'content-filter': 'refusal',
  refusal: 'refusal',
  pause: 'pause_turn',
  other: 'end_turn',
};

/**
 * `refused` and `called` say whether the answer contains a refusal or a call: other APIs end such answers with a
 * plain stop.
 */
export function writeStopReason(
  reason: FinishReason,
  seen: { refused: boolean; called: boolean; sequence: boolean },
): string {
  if (reason !== 'stop') return STOP_REASONS[reason];
  if (seen.refused) return 'refusal';
  if (seen.called) return 'tool_use';
  return seen.sequence ? 'stop_sequence' : 'end_turn';
}

/** Client libraries expect these numbers, so unknown ones are 0. */
export function writeUsage(usage: Usage | undefined): JsonObject {
  const cached = usage?.cachedInputTokens ?? 0;
  const written = usage?.cacheCreationInputTokens ?? 0;
  const anHour = usage?.cacheCreation1hInputTokens;
  const reasoning = usage?.reasoningTokens;
  return withoutUndefined({
    input_tokens: Math.max(0, (usage?.inputTokens ?? 0) - cached - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    cache_creation:
      anHour === undefined
        ? undefined
        : { ephemeral_5m_input_tokens: written - anHour, ephemeral_1h_input_tokens: anHour },
    output_tokens: usage?.outputTokens ?? 0,
    output_tokens_details: reasoning === undefined ? undefined : { thinking_tokens: reasoning },
  });
}
