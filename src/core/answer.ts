import type { JsonValue } from './json.js';
import type {
  FinishReason,
  Message,
  OutputSchema,
  Part,
  ToolChoice,
  ToolDefinition,
  Usage,
} from './message.js';

/** A request in neutral form: what every dialect can express. Fields are absent where the client did not send them. */
export interface NeutralRequest {
  messages: Message[];
  stream: boolean;
  /** The client asked for token counts at the end of its stream (Chat Completions leaves them out by default). */
  streamUsage: boolean;
  maxOutputTokens?: number;
  temperature?: number;
  topP?: number;
  topK?: number;
  frequencyPenalty?: number;
  presencePenalty?: number;
  seed?: number;
  stop?: string[];
  choiceCount?: number;
  tools?: ToolDefinition[];
  toolChoice?: ToolChoice;
  parallelToolCalls?: boolean;
  outputSchema?: OutputSchema;
  /** `json` without a schema (OpenAI's json_object). */
  outputJson?: boolean;
  reasoning?: { effort?: ReasoningEffort; budgetTokens?: number };
  /** End user's id as providers know it (`user`, `metadata.user_id`). */
  user?: string;
  /** Parts that were left out because the other API has no place for them, which may make the answer worse. */
  leftOut?: LeftOut[];
}

/** A part of a request that a provider was not sent. */
export interface LeftOut {
  /** Where it stood: `tools[2]`. */
  path: string;
  /** Its kind, as its API calls it: `web_search`. */
  what: string;
  why: string;
}

/** From none to the most that the model offers; not every model knows every value. */
export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export interface Choice {
  index: number;
  parts: Part[];
  finishReason: FinishReason | null;
}

/** A model's whole answer in neutral form; a stream put together has the same form. */
export interface Answer {
  /** The provider's own id. */
  id: string;
  model: string;
  /** Epoch seconds where the provider tells it. */
  created?: number;
  choices: Choice[];
  usage?: Usage;
  /** The stop sequence that ended the answer, where the provider tells it. */
  stopSequence?: string;
}

export type ChannelKind = 'text' | 'reasoning' | 'refusal' | 'tool-arguments';

/** One run of text that grows through a stream. Two channels never mix: each is guarded separately. */
export interface Channel {
  kind: ChannelKind;
  choice: number;
  /** Position of the part within the choice, as the dialect counts it. */
  part: number;
}

/** What a frame of a stream means. A frame can mean several events, or none that we know. */
export type StreamEvent =
  | { type: 'start'; id: string; model: string; created?: number }
  | { type: 'delta'; channel: Channel; text: string }
  /** May come again for a call, where its name comes in pieces: the last one counts. */
  | { type: 'tool-call-start'; channel: Channel; callId: string; name: string; freeform?: true }
  /** Opaque proof that belongs to the reasoning of this channel. */
  | { type: 'signature'; channel: Channel; signature: string }
  | { type: 'part-end'; channel: Channel }
  | { type: 'finish'; choice: number; reason: FinishReason; stopSequence?: string }
  | { type: 'usage'; usage: Usage }
  | { type: 'error'; message: string; errorType?: string; value: JsonValue }
  /** The last event that the dialect defines. */
  | { type: 'end' };
