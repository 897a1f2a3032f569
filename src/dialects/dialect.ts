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
 * A dialect is one wire API, which the gateway speaks to clients and to providers. The folder of a dialect has everything
 * that is known about its wire form, and no other code knows it. All functions are pure. Where both sides speak the same
 * dialect, the original text is edited in place (`adapt…`), so that everything the gateway does not change keeps its bytes.
 * Where they differ, `toNeutral` of one dialect and `fromNeutral` of the other translate; no file knows a pair of dialects.
 */

/** What the gateway itself needs to know about a client's request. */
export interface RequestView {
  /** The name of the endpoint. */
  model: string;
  stream: boolean;
  /** The client's metadata; null where it is null or missing. */
  metadata: JsonObject | null;
  /** The client sent `store: true`, so the metadata may be passed on to the provider. */
  store: boolean;
  /** The schema that the output must satisfy, where the client sent one. */
  outputSchema?: OutputSchema;
  /** The client asked for JSON without a schema: for an object (OpenAI's `json_object`), or for any value. */
  outputJson?: 'object' | 'any';
  /** Whether the client asked for usage in its stream, where its dialect lets it choose. */
  streamUsage: boolean;
  choiceCount: number;
  /** The members of the request by which answers are written: settings that they repeat, and tools with an own form of call. */
  forAnswer?: JsonObject;
  /** The place of token numbers that replace a text, if there are any. No plugin can read them. */
  tokensAt?: string;
  /** Sampling settings by their names in telemetry (`temperature`, `top_p`, `max_tokens`, …), for telemetry. */
  parameters: Record<string, number | string | string[]>;
}

/** What an API puts into the path of a call rather than into the body. */
export interface CallAddress {
  /** The model in the path; empty where the API names it in the body. */
  model: string;
  stream: boolean;
}

/** An invalid answer in the form in which the next model is told about it. */
export interface Correction {
  /** The answer's text, or the arguments of the invalid call. */
  answer: string;
  problem: string;
  /** The call whose arguments were invalid. */
  call?: { id: string; name: string };
}

/** What a server that speaks Chat Completions accepts, refuses, or names differently. */
export interface ChatTraits {
  /** The member that limits the length of an answer. */
  maxTokens: 'max_completion_tokens' | 'max_tokens';
  /** Whether it accepts `stream_options`. */
  streamOptions: boolean;
  /** Whether it knows the role `developer`. Otherwise such messages get the role `system`. */
  developer: boolean;
  /** The member of an assistant's message in which it expects its reasoning back; absent where it expects none. */
  reasoning?: 'reasoning_content' | 'reasoning';
  /** It refuses a tool call without its reasoning. Where a client kept none, an empty one is sent. */
  reasoningNeeded?: true;
  /** It expects `reasoning_details` back, which contain the proofs. */
  reasoningDetails?: true;
  /** It accepts Anthropic's `cache_control` in parts and tools. */
  cacheControl?: true;
  /**
   * It refuses a user's turn directly after a tool's result, and a last turn of the system. A last turn of the
   * assistant needs a mark that it is the beginning of the answer.
   */
  strictTurns?: true;
  /** It refuses an assistant's turn without text and calls, such as one that the user stopped. */
  saidTurnsOnly?: true;
  /** The form of call ids that it accepts, where clients of the same API may send others. */
  callId?: NameBound;
  /** Members of a request that have another name in its API. */
  renamed?: Readonly<Record<string, string>>;
  /** The only members that it accepts; others are left out. */
  only?: { readonly request: readonly string[]; readonly message: readonly string[] };
}

/** The traits of OpenAI's own API. */
export const OPENAI_TRAITS: ChatTraits = {
  maxTokens: 'max_completion_tokens',
  streamOptions: true,
  developer: true,
};

/** What an attempt must change in the client's request. */
export interface RenderTarget {
  /** The provider's name for the model. */
  model: string;
  /**
   * `native`: the schema is sent to the model. `omit`: it is removed. `prompt`: it is removed and described in the
   * system prompt. `tool`: it becomes a tool of that name, which the model must call; the answer is then read through
   * output-tool.ts.
   */
  outputSchema: 'native' | 'omit' | 'prompt' | { tool: string };
  /** Ask for usage in a stream even where the client did not (`stream_options.include_usage`). */
  askForUsage: boolean;
  /**
   * Why the previous answer was invalid. The model is told in a last message, together with that answer
   * (`explain_invalid`).
   */
  correction?: Correction;
  /** For Chat Completions: what the server accepts. Absent for OpenAI's own. */
  traits?: ChatTraits;
  /** The part of the client's metadata that this provider may see; absent for none. */
  metadata?: JsonObject;
}

/** What the gateway adds to an answer. */
export interface AnswerExtras {
  logId: string;
}

/** Reads one stream. It lives as long as the stream and remembers what it needs to name channels. */
export interface StreamDecoder {
  /** The events of a frame. Never throws: a frame that cannot be understood has no events. */
  decode(frame: SseFrame): StreamEvent[];
  /** Does the same in steps, because a long frame can contain thousands of events. */
  decodeInSteps?(frame: SseFrame): Steps<StreamEvent[]>;
}

/** Writes one stream with events in the order that the target's API requires. */
export interface StreamEncoder {
  encode(event: StreamEvent): SseFrame[];
  /**
   * The frames that close a stream whose source ended without an `end` event. An answer that was finished gets its
   * usual end. Any other gets an error, so that nobody takes half of an answer for the whole.
   */
  finish(): SseFrame[];
}

/** What is needed to write an answer that came in another dialect. */
export interface AnswerContext extends AnswerExtras {
  /** The creation time in epoch seconds, for a source that does not report one. */
  created: number;
  /** The model to show where the source does not name one. */
  model: string;
  /** `RequestView.forAnswer` of the request that was sent. */
  request?: JsonObject;
}

/** What an encoder needs to know about the client's request. */
export interface EncoderContext extends AnswerContext {
  /** Whether the client asked for usage. */
  streamUsage: boolean;
}

/** The body of a provider's error, as far as its members are known. */
export interface ProviderError {
  message: string;
  type?: string;
  code?: string | null;
}

/** The names of the members of a request that make up its conversation. */
export interface ConversationMembers {
  /** Prompts that are the same in many requests. */
  readonly standing: readonly string[];
  /** The turns of the conversation. */
  readonly turns: readonly string[];
  /** The members that name a conversation which the provider keeps. */
  readonly kept?: readonly string[];
  /** Further members without which a request cannot be read, and the tools. */
  readonly needed: readonly string[];
}

/** A request to count tokens: the same body without the settings of its answer. */
export interface TokenCounting {
  /** The request to count, where the body has it inside a member. Throws `invalid_request`. */
  openRequest?(document: JsonDocument): JsonDocument;
  /** Reads the request. Throws `invalid_request`, as `readRequest` of a dialect does. */
  readRequest(document: JsonDocument, address?: CallAddress): Steps<Pick<RequestView, 'model' | 'metadata'>>;
  /** The body for a provider of this dialect. `model` is the provider's name for the model. */
  adaptRequest(document: JsonDocument, model: string, view: RequestView): string;
  /** The answer with this number of tokens, which is an estimate where the provider does not count. */
  writeCount(inputTokens: number): string;
}

export interface Dialect<Id extends string = DialectId> {
  readonly id: Id;
  /**
   * Its streams are guarded only when they are complete, because the texts in a frame differ from those that `decode`
   * returns for it.
   */
  readonly guardsWhole?: boolean;
  /** Nothing can follow the last event of its streams. */
  readonly endsForSure?: true;
  /** What is known of the members of its bodies. A string counts as text unless this says otherwise. */
  readonly members: { readonly request: Members; readonly answer: Members; readonly frame: Members };
  /**
   * The members of a request that make up its conversation. Everything else, such as sampling settings, is not training data.
   */
  readonly conversation: ConversationMembers;
  /** Members that repeat a text token by token. */
  readonly tokenProbabilities: readonly string[];
  /**
   * The texts of a short log with their paths. Undefined where all values would have to be walked through to find
   * them.
   */
  plainLog?(request: JsonValue, response: JsonValue): FoundText[] | undefined;
  /** Present where the API has a call that counts the tokens of a request. */
  readonly counting?: TokenCounting;
  /** Only providers that speak this same dialect can serve it: nothing is translated. */
  readonly untranslated?: true;
  /**
   * What its answers contain in place of text, so that response plugins have nothing to check. Vectors of two models
   * cannot be compared.
   */
  readonly answers?: 'vectors' | 'verdicts';

  // Requests -------------------------------------------------------------------------------------------

  /**
   * Reads a request. Throws `invalid_request` with the reason and the place where it is not a valid request of the
   * API. Only an API with the model and `stream` in its path uses the address.
   */
  readRequest(document: JsonDocument, address?: CallAddress): Steps<RequestView>;
  /** The tools whose calls the client handles. Never throws: a tool of an unknown form is left out. */
  readTools(document: JsonDocument): OfferedTools;
  /**
   * All messages including earlier turns. System prompts come first where the API has them apart. In small steps,
   * because a request may have tens of thousands of texts.
   */
  readMessages(document: JsonDocument): Steps<Message[]>;
  /** The document with the changed texts of `readMessages` put back in their places. Everything else keeps its bytes. */
  writeMessages(document: JsonDocument, messages: Message[]): Steps<JsonDocument>;
  /** The body for a provider of this same dialect. */
  adaptRequest(document: JsonDocument, view: RequestView, target: RenderTarget): string;
  /**
   * The request in neutral form. Throws `invalid_request` with `param` for a member that can neither be translated
   * nor left out without harm.
   */
  toNeutral(document: JsonDocument, view: RequestView): Steps<NeutralRequest>;
  /**
   * The body for a provider of this dialect, from a request of another dialect. Throws `invalid_request` as
   * `toNeutral` does.
   */
  fromNeutral(request: NeutralRequest, target: RenderTarget): Steps<string>;

  // Whole answers --------------------------------------------------------------------------------------

  /**
   * Opens an answer that is too long to be parsed completely. Its value then contains only a part of it. Undefined
   * where it can be parsed as usual.
   */
  openAnswer?(text: string): JsonDocument | undefined;
  /** The answer in neutral form. Undefined where the value does not have the form of this dialect's answers. */
  readAnswer(value: JsonValue): Steps<Answer | undefined>;
  /** Reads the parts of an answer, where `readAnswer` left that until somebody needs them. */
  readParts?(answer: Answer): Steps;
  /** For a client of the same dialect: adds our member, and replaces the texts by those of `answer` where it is given. */
  adaptAnswer(document: JsonDocument, extras: AnswerExtras, answer?: Answer): Steps<JsonDocument>;
  /** Writes an answer that came in another dialect, or that was put together from a stream. */
  writeAnswer(answer: Answer, context: AnswerContext): Steps<string>;

  // Streams --------------------------------------------------------------------------------------------

  /**
   * A name for the text that grows at this path of a frame, where the string is a piece of a longer text for which
   * there is no event. All pieces of one text have the same name.
   */
  growingText(frame: JsonObject, path: Path): string | undefined;
  createDecoder(): StreamDecoder;
  createEncoder(context: EncoderContext): StreamEncoder;
  /**
   * For a client of the same dialect: the frame with our member in it where it belongs (first chunk, message_start,
   * response object). Undefined for a frame that the client did not ask for (usage). `first`: no frame of the stream
   * has had our member yet.
   */
  adaptFrame(frame: SseFrame, context: EncoderContext & { first: boolean }): SseFrame | undefined;
  /** A keep-alive as bytes, sent while there is nothing else to send. Absent where clients could not read it. */
  readonly keepAlive?: string;
  /** The frame with other texts in its deltas, in the order of `decode`. Everything else keeps its bytes. */
  replaceDeltas(frame: SseFrame, texts: string[]): SseFrame;

  // Errors ---------------------------------------------------------------------------------------------

  /** The JSON text of an error answer. */
  writeError(error: SluiceError, logId: string): string;
  /** The error event that ends a stream of which a part was already sent. */
  writeStreamError(error: SluiceError, logId: string): SseFrame[];
  /** The error in a body. Undefined where the value does not have the form of this dialect's errors. */
  readError(value: JsonValue): ProviderError | undefined;
  /** The error in a body that looks like an answer, which clients of this API would not notice otherwise. */
  disguisedError?(value: JsonValue): ProviderError | undefined;
  /** A provider's error of another dialect, in the shape of this one. */
  translateError(error: ProviderError, status: number, logId: string): string;
}

/** An endpoint in the form in which clients see it. */
export interface ListedModel {
  name: string;
}

/**
 * The date of each endpoint, in epoch seconds. Endpoints of sluice.yaml have none, and clients need one that is the
 * same in every engine and call.
 */
export const MODEL_CREATED = Date.UTC(2026, 0, 1) / 1000;

/** Writes the answers to `GET …/models` and `GET …/models/{name}` in the dialect's shape. */
export interface ModelsWriter {
  /** `query` is the query of the call. Throws `invalid_request` for a page that does not exist. */
  list(endpoints: ListedModel[], query: URLSearchParams): string;
  one(endpoint: ListedModel): string;
}

export type { Answer, Message, NeutralRequest, StreamEvent, Usage };
