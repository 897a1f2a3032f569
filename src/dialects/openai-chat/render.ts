import type { Answer, Choice } from '../../core/answer.js';
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
import { type AnswerContext, OPENAI_TRAITS, type RenderTarget, type RequestView } from '../dialect.js';
import { answerAdapter } from '../texts/answer-adapter.js';
import { flatMapInSteps } from '../texts/fields.js';
import {
  editOutputTool,
  openaiChoiceType,
  outputTool,
  resolveOutputSchema,
} from '../translate/output-tool.js';
import { correctionTurns, schemaPrompt } from '../translate/prompts.js';
import { signatureForClient } from '../translate/signature.js';
import { extendTurns } from '../wire/extend-turns.js';
import { asObject, withoutUndefined } from '../wire/values.js';
import { fitChanges } from './fit.js';
import { writeMessage } from './from-neutral.js';
import { placedChoices } from './parse.js';
import { customNames, writeTool, writeToolCall, writeToolChoice } from './tools.js';

export function adaptRequest(document: JsonDocument, view: RequestView, wanted: RenderTarget): string {
  const target = resolveOutputSchema(wanted, view.outputSchema);
  const changes = new Map<string, string | undefined>([['model', JSON.stringify(target.model)]]);
  if (target.metadata === undefined) changes.set('metadata', undefined);
  else if (target.metadata !== view.metadata) changes.set('metadata', JSON.stringify(target.metadata));
  if (view.outputSchema !== undefined && target.outputSchema !== 'native') {
    changes.set('response_format', undefined);
  }
  const { traits = OPENAI_TRAITS } = target;
  if (traits.streamOptions && view.stream && target.askForUsage && !view.streamUsage) {
    changes.set('stream_options', withUsage(document));
  }
  for (const [name, text] of fitChanges(document, view, traits)) changes.set(name, text);
  const prompt =
    view.outputSchema !== undefined && target.outputSchema === 'prompt'
      ? schemaPrompt(view.outputSchema)
      : undefined;
  if (prompt !== undefined || target.correction !== undefined) {
    const { messages: turns } = document.value;
    const added = correctionTurns(target.correction).flatMap((turn) => writeMessage(turn, traits));
    const old = changes.get('messages') ?? memberText(document.text, 'messages')!;
    const messages = extendTurns(old, turns, prompt, added);
    if (messages !== undefined) changes.set('messages', messages);
  }
  const tool = outputTool(target, view.outputSchema);
  if (tool !== undefined) for (const [key, text] of outputToolMembers(document, tool)) changes.set(key, text);
  return editMembers(document.text, changes, document.outline);
}

function outputToolMembers(document: JsonDocument, tool: ToolDefinition): Map<string, string> {
  const choice = openaiChoiceType(document.value.tool_choice);
  return editOutputTool(document, { tool, writeTool, writeChoice: writeToolChoice }, choice);
}

/** The stream options of the client, with usage added. */
export function withUsage(document: JsonDocument): string {
  const usage = new Map([['include_usage', 'true']]);
  const old = asObject(document.value.stream_options);
  return editMembers(old === undefined ? '{}' : memberText(document.text, 'stream_options')!, usage);
}

export const adaptAnswer = answerAdapter(placedChoices);

export function* writeAnswer(answer: Answer, extras: AnswerContext): Steps<string> {
  const custom = customNames(extras.request);
  const body: Record<string, JsonValue | undefined> = {
    inference_log_id: extras.logId,
    id: answer.id,
    object: 'chat.completion',
    created: answer.created ?? extras.created,
    model: answer.model === '' ? extras.model : answer.model,
    choices: yield* flatMapInSteps(answer.choices, (choice) => [writeChoice(choice, custom)]),
    usage: answer.usage === undefined ? undefined : writeUsage(answer.usage),
  };
  return yield* stringifyInSteps(body as JsonObject);
}

function writeChoice(choice: Choice, custom: ReadonlySet<string>): JsonObject {
  const refused = choice.parts.some((part) => part.type === 'refusal');
  return {
    index: choice.index,
    message: writeAnswerMessage(choice.parts, custom),
    logprobs: null,
    finish_reason: choice.finishReason === null ? null : writeFinishReason(choice.finishReason, refused),
  };
}

function writeAnswerMessage(parts: readonly Part[], custom: ReadonlySet<string>): JsonObject {
  const joined = (type: 'text' | 'refusal' | 'reasoning') => {
    const texts = parts.flatMap((part) => (part.type === type ? [part.text] : []));
    return texts.length === 0 ? undefined : texts.join('');
  };
  const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [writeToolCall(part, custom)] : []));
  const proofs = parts.flatMap((part) =>
    part.type === 'reasoning' && part.signature !== undefined
      ? [reasoningDetail(part.text, part.signature)]
      : [],
  );
  return withoutUndefined({
    role: 'assistant',
    content: joined('text') ?? null,
    refusal: joined('refusal') ?? null,
    reasoning_content: joined('reasoning'),
    reasoning_details: proofs.length === 0 ? undefined : proofs,
    tool_calls: calls.length === 0 ? undefined : calls,
  });
}

/** The form in which a signature is sent to a client that sends its history back unchanged. */
export function reasoningDetail(text: string, signature: string): JsonObject {
  return { type: 'reasoning.text', text, signature: signatureForClient(signature, 'openai.chat') };
}

const FINISH_REASONS: Record<FinishReason, string> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
  refusal: 'content_filter',
  pause: 'stop',
  other: 'stop',
};

/** A refusal in its own field ends with `stop`, as in the API itself. */
export function writeFinishReason(reason: FinishReason, refused: boolean): string {
  return reason === 'refusal' && refused ? 'stop' : FINISH_REASONS[reason];
}

export function writeUsage(usage: Usage): JsonObject {
  const input = withoutUndefined({
    cached_tokens: usage.cachedInputTokens,
    cache_write_tokens: usage.cacheCreationInputTokens,
    audio_tokens: usage.audioInputTokens,
  });
  const output = withoutUndefined({
    reasoning_tokens: usage.reasoningTokens,
    audio_tokens: usage.audioOutputTokens,
  });
  return withoutUndefined({
    prompt_tokens: usage.inputTokens,
    completion_tokens: usage.outputTokens,
    total_tokens: usage.inputTokens + usage.outputTokens,
    prompt_tokens_details: Object.keys(input).length === 0 ? undefined : input,
    completion_tokens_details: Object.keys(output).length === 0 ? undefined : output,
  });
}
