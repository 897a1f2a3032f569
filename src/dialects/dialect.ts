import type { Answer, NeutralRequest, StreamEvent } from '../core/answer.js';
import type { DialectId } from '../core/dialect-ids.js';
import type { SluiceError } from '../core/errors.js';
import type { JsonDocument, JsonObject, JsonValue } from '../core/json.js';
import type { Message, OfferedTools, OutputSchema, Usage } from '../core/message.js';
import type { Steps } from '../core/pacing/steps.js';
import type { FoundText } from './members/find-texts.js';
import type { Members } from './members/members.js';
import type { NameBound } from './wire/name-bound.js';
import type { Path } from './wire/splice.js';
import type { SseFrame } from './wire/sse-frame.js';

export type { SseFrame } from './wire/sse-frame.js';

/*
 * A dialect is one wire API. The gateway speaks it to clients and to providers; each dialect folder holds all
 * that is known of its wire form, and nothing else knows it. Everything here is pure.
 *
 * Same dialect on both sides: the original text is edited in place (`adapt…`), so what we do not own keeps
 * its bytes. Different dialects: `toNeutral` on one side, `fromNeutral` on the other; no file knows a pair.
 */

/** What the gateway itself reads of a client's request. */
export interface RequestView {
  /** An endpoint's name. */
  model: string;
  stream: boolean;
  /** Null where absent or null. */
  metadata: JsonObject | null;
  /** `store: true`: metadata may then go on to the provider. */
  store: boolean;
  /** The schema that the output must satisfy, where the client sent one. */
  outputSchema?: OutputSchema;
  /** The client asked for JSON without a schema: an object (OpenAI's `json_object`), or any value. */
  outputJson?: 'object' | 'any';
  /** Whether the client asked for usage in its stream, where its dialect lets it choose. */
  streamUsage: boolean;
  choiceCount: number;
  /** Where token numbers stand in place of a text, which no plugin can read. */
  tokensAt?: string;
  /** Sampling settings by their names in telemetry (`temperature`, `top_p`, `max_tokens`, …), for telemetry. */
  parameters: Record<string, number | string | string[]>;
}

/** What the path of a call says, where an API puts it there. */
export interface CallAddress {
  /** Empty where the API names the model in the body. */
  model: string;
  stream: boolean;
}

/** An answer that was not valid, as the next model is told of it. */
export interface Correction {
  /** Its text, or the arguments of the call that was wrong. */
  answer: string;
  problem: string;
  /** The call whose arguments were wrong. */
  call?: { id: string; name: string };
}

/** What a server that speaks Chat Completions takes, refuses, or calls by another name. */
export interface ChatTraits {
  /** The member that bounds an answer. */
  maxTokens: 'max_completion_tokens' | 'max_tokens';
  /** It takes `stream_options`. */
  streamOptions: boolean;
  /** It knows the role `developer`; else such messages are of the role `system`. */
  developer: boolean;
  /** The member of an assistant's message in which it wants its reasoning back; absent where it wants none. */
  reasoning?: 'reasoning_content' | 'reasoning';
  /** It refuses a call of a tool without its reasoning: where a client kept none, an empty one goes back. */
  reasoningNeeded?: true;
  /** It wants `reasoning_details` back, which hold the proofs. */
  reasoningDetails?: true;
  /** It takes Anthropic's `cache_control` in parts and tools. */
  cacheControl?: true;
  /**
   * It takes no user's turn right behind a tool's result, none of the system as the last, and a last one of the assistant
   * only with the mark that it begins the answer.
   */
  strictTurns?: true;
  /** It refuses an assistant's turn without words and calls, such as one that the user stopped. */
  saidTurnsOnly?: true;
  /** What it takes as the id of a call, where clients of the same API give others. */
  callId?: NameBound;
  /** Members of a request that it knows by another name. */
  renamed?: Readonly<Record<string, string>>;
  /** All that it takes; anything else is left out. */
  only?: { readonly request: readonly string[]; readonly message: readonly string[] };
}

/** OpenAI's own. */
export const OPENAI_TRAITS: ChatTraits = {
  maxTokens: 'max_completion_tokens',
  streamOptions: true,
  developer: true,
};

/** What one attempt needs that differs from what the client sent. */
export interface RenderTarget {
  /** The provider's name of the model. */
  model: string;
  /**
   * `native`: the schema goes to the model. `omit`: it is taken out. `prompt`: taken out and told in the system
   * prompt. `tool`: it becomes a tool of that name, which the model must call; the answer is then read through
   * output-tool.ts.
   */
  outputSchema: 'native' | 'omit' | 'prompt' | { tool: string };
  /** Ask for usage in a stream even though the client did not (`stream_options.include_usage`). */
  askForUsage: boolean;
  /** Why the answer before was invalid, told to the model as a last message with that answer (`explain_invalid`). */
  correction?: Correction;
  /** For Chat Completions: what the server takes. Absent for OpenAI's own. */
  traits?: ChatTraits;
  /** The part of the client's metadata that this provider may see; absent for none. */
  metadata?: JsonObject;
}

/** What the gateway adds to an answer. */
export interface AnswerExtras {
  logId: string;
}

/** Reads one stream. Lives as long as the stream; holds what it needs to name channels. */
export interface StreamDecoder {
  /** Never throws: a frame that is not understood gives no events. */
  decode(frame: SseFrame): StreamEvent[];
  /** The same in steps, where a long frame can hold thousands of events. */
  decodeInSteps?(frame: SseFrame): Steps<StreamEvent[]>;
}

/** Writes one stream in the target's true order of events. */
export interface StreamEncoder {
  encode(event: StreamEvent): SseFrame[];
  /**
   * Frames that close the stream if the source ended without an `end` event having been encoded: as it should end
   * where the answer had finished, else with an error, so that nobody takes half of it for the whole.
   */
  finish(): SseFrame[];
}

/** What must be known to write an answer that came in another dialect. */
export interface AnswerContext extends AnswerExtras {
  /** Epoch seconds, used where the source tells no time. */
  created: number;
  /** Shown as the model where the source tells none. */
  model: string;
  /** The request as it went on, for an API whose answers repeat settings of it. */
  request?: JsonValue;
}

/** What an encoder must know of the request that the stream answers. */
export interface EncoderContext extends AnswerContext {
  /** For the client: whether usage was asked for. */
  streamUsage: boolean;
}

/** A provider's error body, as far as it is known. */
export interface ProviderError {
  message: string;
  type?: string;
  code?: string | null;
}

/** Names of members of a request. */
export interface ConversationMembers {
  /** Prompts that are the same in many requests. */
  readonly standing: readonly string[];
  /** What was said, turn by turn. */
  readonly turns: readonly string[];
  /** What names a conversation that the provider keeps. */
  readonly kept?: readonly string[];
  /** What must stand beside them for the request to be read, and the tools. */
  readonly beside: readonly string[];
}

/** A request to count tokens: the same body without the settings of its answer. */
export interface TokenCounting {
  /** The request that is counted, where the body has it in a member. Throws `invalid_request`. */
  openRequest?(document: JsonDocument): JsonDocument;
  /** Throws `invalid_request`, as `readRequest`. */
  readRequest(document: JsonDocument, address?: CallAddress): Steps<Pick<RequestView, 'model' | 'metadata'>>;
  /** The body for a provider of this dialect. `model` is the provider's name of it. */
  adaptRequest(document: JsonDocument, model: string, view: RequestView): string;
  /** The answer, where no provider counts and the number is an estimate. */
  writeCount(inputTokens: number): string;
}

export interface Dialect<Id extends string = DialectId> {
  readonly id: Id;
  /** Its streams can only be guarded whole: a frame's texts are not those that `decode` gives for it. */
  readonly guardsWhole?: boolean;
  /** Nothing can follow the last event of its streams. */
  readonly endsForSure?: true;
  /** What is known of the members of its bodies. All strings are texts but those of which these say otherwise. */
  readonly members: { readonly request: Members; readonly answer: Members; readonly frame: Members };
  /** Where a request says what was said; all else, such as sampling settings, is no training data. */
  readonly conversation: ConversationMembers;
  /** Members that say a text once more, letter by letter. */
  readonly tokenProbabilities: readonly string[];
  /**
   * The texts of a short log, by their paths in it. Undefined where finding them takes a walk through all values.
   */
  plainLog?(request: JsonValue, response: JsonValue): FoundText[] | undefined;
  /** For an API with a call that counts the tokens of a request. */
  readonly counting?: TokenCounting;
  /** Only providers that speak this same dialect can serve it: nothing is translated. */
  readonly untranslated?: true;
  /** What its answers are where they hold no text, so that no response plugin is due. Vectors of two models do not mix. */
  readonly answers?: 'vectors' | 'verdicts';

  // Requests -------------------------------------------------------------------------------------------

  /**
   * Throws `invalid_request`, naming what and where, for what is no valid request of this API. Only an API with
   * model and stream in its path looks at the address.
   */
  readRequest(document: JsonDocument, address?: CallAddress): Steps<RequestView>;
  /** The tools whose calls the client reads. Never throws: what has no shape of such a tool is left out. */
  readTools(document: JsonDocument): OfferedTools;
  /**
   * All messages, earlier turns too, system prompts first where the dialect keeps them apart. In steps, and few texts in
   * one: a request may have tens of thousands.
   */
  readMessages(document: JsonDocument): Steps<Message[]>;
  /** The document with the texts that differ from `readMessages` put back in place; the rest keeps its bytes. */
  writeMessages(document: JsonDocument, messages: Message[]): Steps<JsonDocument>;
  /** The body for a provider of this same dialect. */
  adaptRequest(document: JsonDocument, view: RequestView, target: RenderTarget): string;
  /** Throws `invalid_request` with `param` for a field that can neither be carried over nor dropped without harm. */
  toNeutral(document: JsonDocument, view: RequestView): Steps<NeutralRequest>;
  /** The body for a provider of this dialect from a request of another. Throws `invalid_request` likewise. */
  fromNeutral(request: NeutralRequest, target: RenderTarget): Steps<string>;

  // Whole answers --------------------------------------------------------------------------------------

  /** Opens an answer that is too long to parse all of it, with less in its value; undefined to parse it as usual. */
  openAnswer?(text: string): JsonDocument | undefined;
  /** Undefined where the value has no shape of this dialect's answers. */
  readAnswer(value: JsonValue): Steps<Answer | undefined>;
  /** Reads the parts of an answer, where `readAnswer` leaves that until somebody asks for one. */
  readParts?(answer: Answer): Steps;
  /** Same dialect: adds our field, and where `answer` is given puts its texts in place of the old ones. */
  adaptAnswer(document: JsonDocument, extras: AnswerExtras, answer?: Answer): Steps<JsonDocument>;
  /** An answer that came in another dialect (or was put together from a stream). */
  writeAnswer(answer: Answer, context: AnswerContext): Steps<string>;

  // Streams --------------------------------------------------------------------------------------------

  /**
   * A name for the text that grows at this path of a frame, where the string there is a piece of one and no event
   * tells of it. All pieces of one text have the same name.
   */
  growingText(frame: JsonObject, path: Path): string | undefined;
  createDecoder(): StreamDecoder;
  createEncoder(context: EncoderContext): StreamEncoder;
  /**
   * Same dialect: the frame with our field where it belongs (first chunk, message_start, response object), or
   * undefined for a frame that the client did not ask for (usage). `first`: no frame of the stream has had it yet.
   */
  adaptFrame(frame: SseFrame, context: EncoderContext & { first: boolean }): SseFrame | undefined;
  /**
   * What keeps a stream's connection open while there is nothing to say, as it goes over the wire. Absent where clients
   * would stumble over it.
   */
  readonly keepAlive?: string;
  /** The frame with the text of its deltas replaced, in order of `decode`; the rest keeps its bytes. */
  replaceDeltas(frame: SseFrame, texts: string[]): SseFrame;

  // Errors ---------------------------------------------------------------------------------------------

  /** The JSON text of an error answer. */
  writeError(error: SluiceError, logId: string): string;
  /** The error event that ends a stream of which something was released. */
  writeStreamError(error: SluiceError, logId: string): SseFrame[];
  /** Undefined where the value has no shape of this dialect's errors. */
  readError(value: JsonValue): ProviderError | undefined;
  /** The error in what looks like an answer, where clients of this API would take it for one. */
  disguisedError?(value: JsonValue): ProviderError | undefined;
  /** A provider's error that came in another dialect, in this one's shape. */
  translateError(error: ProviderError, status: number, logId: string): string;
}

/** An endpoint as clients see it. */
export interface ListedModel {
  name: string;
}

/**
 * When each endpoint was made, in epoch seconds. Those of sluice.yaml have no such date, and clients need one that
 * every engine gives and no call changes.
 */
export const MODEL_CREATED = Date.UTC(2026, 0, 1) / 1000;

/** What `GET …/models` and `GET …/models/{name}` answer, in the dialect's shape. */
export interface ModelsWriter {
  /** `query` is that of the call. Throws `invalid_request` for a page that cannot be. */
  list(endpoints: ListedModel[], query: URLSearchParams): string;
  one(endpoint: ListedModel): string;
}

export type { Answer, Message, NeutralRequest, StreamEvent, Usage };
