import type { NeutralRequest } from '../../core/answer.js';
import { assertNever } from '../../core/assert-never.js';
import { isJsonObject, type JsonObject } from '../../core/json.js';
import { append } from '../../core/lists/append.js';
import type { MediaSource, Message, Part } from '../../core/message.js';
import { parseJsonInSteps, stringifyInSteps } from '../../core/pacing/json-in-pieces.js';
import type { Steps } from '../../core/pacing/steps.js';
import type { RenderTarget } from '../dialect.js';
import { endsStep, flatMapInSteps, jsonObjectOf, mapInSteps } from '../texts/fields.js';
import { mediaTypeOf, mediaTypeOfUrl } from '../translate/media.js';
import { resolveOutputSchema, withOutputTool } from '../translate/output-tool.js';
import { NOTHING_SAID, withOurWords } from '../translate/prompts.js';
import { signatureForProvider } from '../translate/signature.js';
import { refuseWhatProviderLacks } from '../translate/unsupported.js';
import { refuseTranslation } from '../wire/check.js';
import { asObjects, withoutUndefined } from '../wire/values.js';
import { writeWithProofs } from './proofs.js';
import { writeTool, writeToolConfig } from './tools.js';

export function* fromNeutral(neutral: NeutralRequest, wanted: RenderTarget): Steps<string> {
  const target = resolveOutputSchema(wanted, neutral.outputSchema);
  const request = withOutputTool(neutral, target);
  refuseWhatProviderLacks(request, 'gemini.generate');
  const messages = withOurWords(request, target);
  const config = writeConfig(request, target);
  const { tools, toolChoice } = request;
  const functions = yield* mapInSteps(tools, writeTool);
  return yield* stringifyInSteps(
    withoutUndefined({
      systemInstruction: yield* writeSystem(messages),
      contents: withSomeContent(withCallProofs(yield* writeContents(messages), target.model)),
      tools: functions === undefined ? undefined : [{ functionDeclarations: functions }],
      toolConfig: tools === undefined || toolChoice === undefined ? undefined : writeToolConfig(toolChoice),
      generationConfig: Object.keys(config).length === 0 ? undefined : config,
    }),
  );
}

function writeConfig(request: NeutralRequest, target: RenderTarget): JsonObject {
  const schema = target.outputSchema === 'native' ? request.outputSchema : undefined;
  const isJson = schema !== undefined || request.outputJson === true;
  return withoutUndefined({
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    candidateCount: request.choiceCount,
    maxOutputTokens: request.maxOutputTokens,
    stopSequences: request.stop,
    frequencyPenalty: request.frequencyPenalty,
    presencePenalty: request.presencePenalty,
    seed: request.seed,
    responseMimeType: isJson ? 'application/json' : undefined,
    responseJsonSchema: schema?.schema,
    thinkingConfig: writeThinking(request.reasoning),
  });
}

const LEVELS = { minimal: 'MINIMAL', low: 'LOW', medium: 'MEDIUM', high: 'HIGH', xhigh: 'HIGH', max: 'HIGH' };

function writeThinking(reasoning: NeutralRequest['reasoning']): JsonObject | undefined {
  const { effort, budgetTokens } = reasoning ?? {};
  if (budgetTokens !== undefined) return { thinkingBudget: budgetTokens, includeThoughts: true };
  if (effort === undefined) return undefined;
  return effort === 'none' ? { thinkingBudget: 0 } : { thinkingLevel: LEVELS[effort], includeThoughts: true };
}

const isSystem = (message: Message) => message.role === 'system' || message.role === 'developer';

/** Joins all system prompts of the conversation, because the API accepts them only here. */
function* writeSystem(messages: readonly Message[]): Steps<JsonObject | undefined> {
  const names = new Map<string, string>();
  const parts = yield* flatMapInSteps(messages.filter(isSystem), (message) =>
    writeParts(message.parts, names),
  );
  return parts.length === 0 ? undefined : { parts };
}

interface Content {
  role: 'user' | 'model';
  parts: JsonObject[];
}

/** Google's own value for a call whose proof is unknown, for example because another model made the call. */
const NO_PROOF = 'skip_thought_signature_validator';
/** Models before Gemini 3, which need no proof. */
const WITHOUT_PROOFS = /(^|\/)(gemini-(1|2)\b|gemma|palm|learnlm)/i;

/** The API requires a proof at the first call of each turn of the model. */
function withCallProofs(contents: JsonObject[], model: string): JsonObject[] {
  if (WITHOUT_PROOFS.test(model)) return contents;
  for (const { role, parts } of contents) {
    if (role !== 'model') continue;
    const first = asObjects(parts).find((part) => part.functionCall !== undefined);
    if (first !== undefined) first.thoughtSignature ??= NO_PROOF;
  }
  return contents;
}

/** The API refuses a request without contents. */
function withSomeContent(contents: JsonObject[]): JsonObject[] {
  return contents.length > 0 ? contents : [{ role: 'user', parts: [{ text: NOTHING_SAID }] }];
}

/** The results of parallel calls must be in one content, so neighbouring messages of one role are joined. */
export function* writeContents(messages: readonly Message[]): Steps<JsonObject[]> {
  /** The names of functions by the ids of their calls, because a result must name its function. */
  const names = new Map<string, string>();
  const contents: Content[] = [];
  for (const [index, message] of messages.entries()) {
    if (endsStep(index)) yield;
    if (isSystem(message)) continue;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts = yield* writeParts(message.parts, names);
    const last = contents.at(-1);
    if (last?.role === role) append(last.parts, parts);
    else if (parts.length > 0) contents.push({ role, parts });
  }
  return contents.map(({ role, parts }) => ({ role, parts }));
}

function writeParts(parts: readonly Part[], names: Map<string, string>): Steps<JsonObject[]> {
  return writeWithProofs(parts, proofOf, (part) => writePart(part, names));
}

function proofOf(signature: string | undefined): JsonObject {
  const own = signature === undefined ? undefined : signatureForProvider(signature, 'gemini.generate');
  return own === undefined ? {} : { thoughtSignature: own };
}

/** The parts for a neutral part; none for one without content here: thoughts of another API's model, and empty texts. */
function* writePart(part: Part, names: Map<string, string>): Steps<JsonObject[]> {
  switch (part.type) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ text: part.text }];
    case 'reasoning': {
      const proof = proofOf(part.signature);
      return proof.thoughtSignature === undefined ? [] : [{ text: part.text, thought: true, ...proof }];
    }
    case 'image':
    case 'document':
      return [writeMedia(part.source, part.type === 'image' ? 'image/jpeg' : 'application/pdf')];
    case 'tool-call': {
      names.set(part.id, part.name);
      const args = yield* jsonObjectOf(part.arguments);
      return [{ functionCall: { id: part.id, name: part.name, args } }];
    }
    case 'tool-result': {
      const name = names.get(part.callId) ?? part.callId;
      const response = yield* writeResult(part);
      // A result is a JSON object, so its pictures and files follow it as parts of their own.
      const media = yield* flatMapInSteps(part.parts.filter(isMedia), (inner) => writePart(inner, names));
      return [{ functionResponse: { id: part.callId, name, response } }, ...media];
    }
    case 'other':
      return refuseTranslation('messages', 'it does not know a part of that type');
    default:
      return assertNever(part);
  }
}

/** The text of a result that consists only of pictures or files. */
const FILES_FOLLOW = 'The result follows.';

function isMedia({ type }: Part): boolean {
  return type === 'image' || type === 'document';
}

/** The API requires an object. Any other result is put into a member: `output`, or `error`. */
function* writeResult(part: Extract<Part, { type: 'tool-result' }>): Steps<JsonObject> {
  const texts = part.parts.flatMap((inner) => {
    if (inner.type === 'text') return [inner.text];
    return isMedia(inner) ? [] : refuseTranslation('messages', 'it has no place for such a result of a tool');
  });
  const text = texts.length === 0 && part.parts.length > 0 ? FILES_FOLLOW : texts.join('\n');
  const value = yield* parseJsonInSteps(text);
  if (part.isError === true) return { error: text };
  return isJsonObject(value) ? value : { output: text };
}

/** `likely` is the media type of a file of which only the address is known. */
function writeMedia(source: MediaSource, likely: string): JsonObject {
  switch (source.kind) {
    case 'base64':
      return { inlineData: { mimeType: mediaTypeOf(source), data: source.data } };
    case 'url':
      return { fileData: { mimeType: mediaTypeOfUrl(source.url, likely), fileUri: source.url } };
    case 'text':
      return { text: source.text };
    case 'file':
      return refuseTranslation('messages', 'a file that was uploaded to another provider is not known there');
    default:
      return assertNever(source);
  }
}
