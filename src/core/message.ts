import type { JsonObject, JsonValue } from './json.js';

/**
 * The neutral form of a conversation, the same for every dialect. Plugins see it, and translation between dialects
 * goes through it. A part that only the client's dialect knows is kept as `other`.
 */
export interface Message {
  role: 'system' | 'developer' | 'user' | 'assistant' | 'tool';
  parts: Part[];
  /** The participant's name, where the dialect has one. */
  name?: string;
}

export type Part =
  | { type: 'text'; text: string; cacheControl?: JsonValue }
  | {
      type: 'reasoning';
      text: string;
      /** A proof that the provider expects to get back unchanged. */
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
   * `arguments` is the JSON text exactly as the model wrote it; it can be invalid JSON. For a `freeform` tool, which
   * takes any text, it is that text.
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
  /** The JSON Schema of the arguments. */
  parameters?: JsonObject;
  strict?: boolean;
  /** Anthropic's mark that the content up to here may be kept in a cache. Parts have it too. */
  cacheControl?: JsonValue;
}

/** The tools that the client itself runs, and which of them the model is forced to call. */
export interface OfferedTools {
  tools: ToolDefinition[];
  /** The tools of which `tool_choice` forces a call; empty where no call is forced. */
  forced: string[];
  /** Whether no other kind of tool, such as one that runs at the provider, may be called instead. */
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
  /** The audio tokens among the cached ones. */
  cachedAudioInputTokens?: number;
  /** Tokens written to a cache, for any duration. */
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
