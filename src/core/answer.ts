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
  /** The client asked for token counts at the end of its stream, which Chat Completions leaves out by default. */
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
  /** The client asked for JSON without a schema (OpenAI's json_object). */
  outputJson?: boolean;
  reasoning?: { effort?: ReasoningEffort; budgetTokens?: number };
  /** The id of the end user for the provider (`user`, `metadata.user_id`). */
  user?: string;
  /** Parts that were left out because the other API has no place for them, which may make the answer worse. */
  leftOut?: LeftOut[];
}

/** A part of a request that was not sent to the provider. */
export interface LeftOut {
  /** Its place in the request, such as `tools[2]`. */
  path: string;
  /** Its kind in the terms of its API, such as `web_search`. */
  what: string;
  why: string;
}

/** From none to the most that a model offers. Not every model knows every value. */
export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export interface Choice {
  index: number;
  parts: Part[];
  finishReason: FinishReason | null;
}

/** A model's whole answer in neutral form. A stream is put together to the same form. */
export interface Answer {
  /** The provider's own id of the answer. */
  id: string;
  model: string;
  /** The creation time in epoch seconds, where the provider sends it. */
  created?: number;
  choices: Choice[];
  usage?: Usage;
  /** The stop sequence that ended the answer, where the provider names it. */
  stopSequence?: string;
}

/** The answer with other choices. The class of an answer may have them as a getter, which a spread does not copy. */
export function withChoices(answer: Answer, choices: Choice[]): Answer {
  const { id, model, created, usage, stopSequence } = answer;
  const changed: Answer = { id, model, choices };
  if (created !== undefined) changed.created = created;
  if (usage !== undefined) changed.usage = usage;
  if (stopSequence !== undefined) changed.stopSequence = stopSequence;
  return changed;
}

export type ChannelKind = 'text' | 'reasoning' | 'refusal' | 'tool-arguments';

/** One text that grows through a stream. Two channels never mix; each is guarded separately. */
export interface Channel {
  kind: ChannelKind;
  choice: number;
  /** The position of the part within the choice, as the dialect counts it. */
  part: number;
}

/** What a frame of a stream means. One frame can have several events, or none that are known. */
export type StreamEvent =
  | { type: 'start'; id: string; model: string; created?: number }
  | { type: 'delta'; channel: Channel; text: string }
  /** May be repeated for a call whose name arrives in pieces. The last one counts. */
  | { type: 'tool-call-start'; channel: Channel; callId: string; name: string; freeform?: true }
  /** A proof of the provider for the reasoning of this channel. Its content is not interpreted. */
  | { type: 'signature'; channel: Channel; signature: string }
  | { type: 'part-end'; channel: Channel }
  | { type: 'finish'; choice: number; reason: FinishReason; stopSequence?: string }
  | { type: 'usage'; usage: Usage }
  | { type: 'error'; message: string; errorType?: string; value: JsonValue }
  /** The last event that the dialect defines. */
  | { type: 'end' };
