import type { JsonObject, JsonValue } from './json.js';

/**
 * The neutral form of a conversation, the same for every dialect. Plugins see it, and translation between dialects
 * goes through it. A part that only the client's dialect knows is kept as `other`.
 */
export interface Message {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  parts: Part[];
  /** Participant's name, where the dialect has one. */
  name?: string;
}

export type Part =
  | { type: 'text'; text: string; cacheControl?: JsonValue }
  | {
      type: 'reasoning';
      text: string;
      /** Opaque proof that providers want back unchanged. */
      signature?: string;
    }
  | { type: 'refusal'; text: string }
  | { type: 'image'; source: MediaSource; detail?: string; cacheControl?: JsonValue }
  | {
      type: 'document';
      source: MediaSource;
      filename?: string;
      title?: string;
      cacheControl?: JsonValue;
    }
  /**
   * `arguments` is the JSON text as the model wrote it; it can be invalid JSON. Of a `freeform` tool, which takes any
   * text, it is that text.
   */
  | { type: 'tool-call'; id: string; name: string; arguments: string; freeform?: true }
  | { type: 'tool-result'; callId: string; parts: Part[]; isError?: boolean; cacheControl?: JsonValue }
  | { type: 'other'; value: JsonValue };

export type MediaSource =
  | { kind: 'url'; url: string }
  | { kind: 'base64'; mediaType: string; data: string }
  | { kind: 'file'; id: string }
  | { kind: 'text'; text: string };

export interface ToolDefinition {
  name: string;
  description?: string;
  /** JSON Schema of the arguments. */
  parameters?: JsonObject;
  strict?: boolean;
  /** A mark of Anthropic's: what stands before it may be kept in a cache. Parts have it too. */
  cacheControl?: JsonValue;
}

/** The tools that the client itself runs, and which of them the model is forced to call. */
export interface OfferedTools {
  tools: ToolDefinition[];
  /** The names that `tool_choice` allows for a forced call; empty where no call is forced. */
  forced: string[];
  /** No other kind of tool, such as one that runs at the provider, may be called instead. */
  mustCallOne: boolean;
}

export type ToolChoice = { type: 'auto' | 'none' | 'required' } | { type: 'tool'; name: string };

/** The JSON Schema that an answer must satisfy, as the client sent it. */
export interface OutputSchema {
  schema: JsonValue;
  name?: string;
  description?: string;
  strict?: boolean;
}

/**
 * Token counts. `inputTokens` includes tokens read from a cache, written to one, and audio; `outputTokens` includes
 * reasoning and audio.
 */
export interface Usage {
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens?: number;
  /** Audio among the cached tokens. */
  cachedAudioInputTokens?: number;
  /** Written to a cache, for however long. */
  cacheCreationInputTokens?: number;
  /** Of these, the tokens that are kept for an hour. */
  cacheCreation1hInputTokens?: number;
  reasoningTokens?: number;
  audioInputTokens?: number;
  audioOutputTokens?: number;
  /** The service tier that served the call, as the provider names it. */
  serviceTier?: string;
}

export type FinishReason =
  | 'stop'
  | 'length'
  | 'tool-calls'
  | 'content-filter'
  | 'refusal'
  | 'pause'
  | 'other';
