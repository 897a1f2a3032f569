import type { Channel, ChannelKind, StreamEvent } from '../../core/answer.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';
import type { ProviderError, StreamDecoder } from '../dialect.js';
import { frameDocument } from '../wire/frame-document.js';
import type { Path } from '../wire/splice.js';
import { asArray, asNumber, asObject, asString } from '../wire/values.js';
import { answerIds, type CallIds } from './content.js';
import { failureOf, readError } from './errors.js';
import { keyOf, memberOf } from './names.js';
import { readFinishReason, readUsage } from './parse.js';
import { readProof } from './proofs.js';

/** One text of a chunk: a delta, or the complete arguments of a call as JSON. */
interface ChunkText {
  kind: ChannelKind;
  text: string;
  path: Path;
  /** Set where the frame has the arguments of a call as a JSON value and not as a string. */
  json?: true;
  part: JsonObject;
}

/** The texts of one candidate in a chunk, in order, without empty ones. */
function textsOfCandidate(candidate: JsonObject, path: Path): ChunkText[] {
  return asArray(asObject(candidate.content)?.parts).flatMap((part, index): ChunkText[] => {
    if (!isJsonObject(part)) return [];
    const at = [...path, 'content', 'parts', index];
    if (typeof part.text === 'string') {
      const kind = part.thought === true ? ('reasoning' as const) : ('text' as const);
      return [{ kind, text: part.text, path: [...at, 'text'], part }];
    }
    const call = asObject(memberOf(part, 'functionCall'));
    if (call === undefined) return [];
    const place = [...at, keyOf(part, 'functionCall'), 'args'];
    return [{ kind: 'tool-arguments', text: JSON.stringify(call.args ?? {}), path: place, json: true, part }];
  });
}

/** The texts of a chunk in the order of the deltas that it is decoded to. */
export function chunkTexts(chunk: JsonObject): ChunkText[] {
  return asArray(chunk.candidates).flatMap((candidate, index) =>
    isJsonObject(candidate)
      ? textsOfCandidate(candidate, ['candidates', index]).filter(({ text }) => text !== '')
      : [],
  );
}

/** The text that a choice is writing. Neighbouring parts of one kind are one text. */
interface Run {
  part: number;
  kind?: ChannelKind;
  called: boolean;
  finished: boolean;
}

/** The API has no event for the end. A stream ends with the chunk in which its last candidate finishes. */
export function createDecoder(): StreamDecoder {
  const runs = new Map<number, Run>();
  let ids: CallIds | undefined;

  function decodeStart(chunk: JsonObject): StreamEvent[] {
    if (ids !== undefined) return [];
    const id = asString(memberOf(chunk, 'responseId')) ?? '';
    ids = answerIds(id);
    const start: Extract<StreamEvent, { type: 'start' }> = {
      type: 'start',
      id,
      model: asString(memberOf(chunk, 'modelVersion')) ?? '',
    };
    const created = Date.parse(asString(memberOf(chunk, 'createTime')) ?? '');
    if (!Number.isNaN(created)) start.created = Math.floor(created / 1000);
    return [start];
  }

  function channelOf(run: Run, kind: ChannelKind, choice: number): Channel {
    if (run.kind !== kind || kind === 'tool-arguments') run.part++;
    run.kind = kind;
    return { kind, choice, part: run.part };
  }

  function decodeText(found: ChunkText, run: Run, choice: number): StreamEvent[] {
    const { kind, text, part } = found;
    const signature = readProof(asString(memberOf(part, 'thoughtSignature')));
    const proof: StreamEvent[] =
      signature === undefined
        ? []
        : [{ type: 'signature', channel: channelOf(run, 'reasoning', choice), signature }];
    if (kind === 'reasoning') {
      const channel = channelOf(run, kind, choice);
      return [...(text === '' ? [] : [{ type: 'delta' as const, channel, text }]), ...proof];
    }
    if (kind === 'text') {
      if (text === '') return proof;
      return [...proof, { type: 'delta', channel: channelOf(run, kind, choice), text }];
    }
    run.called = true;
    const call = asObject(memberOf(part, 'functionCall'))!;
    const name = asString(call.name) ?? '';
    const channel = channelOf(run, 'tool-arguments', choice);
    return [
      ...proof,
      { type: 'tool-call-start', channel, callId: ids!.ofCall(name, asString(call.id)), name },
      { type: 'delta', channel, text },
      { type: 'part-end', channel },
    ];
  }

  function decodeCandidate(candidate: JsonValue, index: number): StreamEvent[] {
    if (!isJsonObject(candidate)) return [];
    const choice = asNumber(candidate.index) ?? index;
    const run = runs.get(choice) ?? { part: -1, called: false, finished: false };
    runs.set(choice, run);
    const events = textsOfCandidate(candidate, []).flatMap((found) => decodeText(found, run, choice));
    const reason = readFinishReason(memberOf(candidate, 'finishReason'), run.called);
    if (reason === null) return events;
    run.finished = true;
    return [...events, { type: 'finish', choice, reason }];
  }

  function decodeBlocked(chunk: JsonObject): StreamEvent[] {
    const blocked = memberOf(asObject(memberOf(chunk, 'promptFeedback')), 'blockReason');
    return typeof blocked === 'string' && asArray(chunk.candidates).length === 0
      ? [{ type: 'finish', choice: 0, reason: 'content-filter' }]
      : [];
  }

  return {
    decode(frame) {
      const chunk = frameDocument(frame)?.value;
      if (chunk === undefined) return [];
      if (chunk.error !== undefined) {
        const error = readError(chunk) ?? { message: 'The provider reported an error.' };
        const type = error.type === undefined ? {} : { errorType: error.type };
        return [{ type: 'error', message: error.message, ...type, value: chunk }];
      }
      const failure = failureOf(chunk);
      const usage = readUsage(asObject(memberOf(chunk, 'usageMetadata')));
      const feedback = memberOf(chunk, 'promptFeedback');
      if (!Array.isArray(chunk.candidates) && feedback === undefined && usage === undefined) return [];
      const events = [
        ...decodeStart(chunk),
        ...asArray(chunk.candidates).flatMap(decodeCandidate),
        ...decodeBlocked(chunk),
        ...(usage === undefined ? [] : [{ type: 'usage' as const, usage }]),
      ];
      if (failure !== undefined) return withFailure(events, failure, chunk);
      const finishes = events.some((event) => event.type === 'finish');
      const last = finishes && [...runs.values()].every((run) => run.finished);
      return last ? [...events, { type: 'end' }] : events;
    },
  };
}

/** The events of the chunk, with the failure in place of its end. */
function withFailure(
  events: readonly StreamEvent[],
  failure: ProviderError,
  value: JsonValue,
): StreamEvent[] {
  const said = events.filter((event) => event.type !== 'finish');
  return [...said, { type: 'error', message: failure.message, errorType: failure.type, value }];
}
