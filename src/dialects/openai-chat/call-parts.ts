import type { Channel, StreamEvent } from '../../core/answer.js';
import type { JsonObject } from '../../core/json.js';
import { ObjectEnd } from '../wire/object-end.js';

/** A piece of a tool call in a chunk. */
export interface CallPiece {
  choice: number;
  /** The number of the call, where the server sends one. */
  index?: number;
  /** The id of the call; empty where the piece has none. */
  callId: string;
  /** The name of the function; empty where the piece has none. */
  name: string;
  text: string;
}

interface OpenCall {
  part: number;
  index?: number;
  /** The id that the server sent. */
  id: string;
  /** The id that clients get. */
  callId: string;
  name: string;
  named: boolean;
  end: ObjectEnd;
  hasText: boolean;
  /** Whether its name was repeated after its arguments were complete. That may be the name of the next call. */
  namedAgain: boolean;
}

/** The calls of one choice. */
interface Calls {
  all: OpenCall[];
  byIndex: Map<number, OpenCall>;
  byId: Map<string, OpenCall>;
  last?: OpenCall;
}

/**
 * Decides which pieces belong to one call. Servers differ: some number no calls, or give all the same number; some
 * send no ids, or repeat the name with each piece, or send it in pieces. A piece begins a call where its id is new,
 * or where it names a function although the arguments of the call before are complete.
 */
export class CallParts {
  readonly #choices = new Map<number, Calls>();

  /** The events of a piece. Calls without an id get one that is made from `answerId`. */
  read(piece: CallPiece, answerId: string): StreamEvent[] {
    const calls = this.#callsOf(piece.choice);
    let call = find(calls, piece);
    const events: StreamEvent[] = [];
    if (call === undefined) {
      call = open(calls, named(calls, piece), answerId);
      events.push(start(call, piece.choice));
    } else if (addMore(call, piece)) {
      events.push(start(call, piece.choice));
    }
    if (piece.text !== '') {
      call.hasText = true;
      call.end.push(piece.text);
      events.push({ type: 'delta', channel: channelOf(call, piece.choice), text: piece.text });
    }
    return events;
  }

  #callsOf(choice: number): Calls {
    let calls = this.#choices.get(choice);
    if (calls === undefined) {
      calls = { all: [], byIndex: new Map(), byId: new Map() };
      this.#choices.set(choice, calls);
    }
    return calls;
  }
}

/** The call that a piece continues; undefined where it begins a new one. */
function find(
  { byIndex, byId, last }: Calls,
  { index, callId, name, text }: CallPiece,
): OpenCall | undefined {
  const call =
    (callId === '' ? undefined : byId.get(callId)) ?? (index === undefined ? last : byIndex.get(index));
  if (call === undefined) return undefined;
  const isOther = callId !== '' && call.id !== '' && call.id !== callId;
  // Without an id, a repeated name begins a new call where the call before has ended.
  if (name === call.name && text === '' && call.end.ended) call.namedAgain = true;
  const isOtherName = name !== '' && name !== call.name ? call.hasText : text !== '' && call.end.ended;
  const isNamed = name !== '' || call.namedAgain;
  const isNext = isNamed && call.named && isOtherName && (callId === '' || call.id !== callId);
  return isOther || isNext ? undefined : call;
}

/** Takes the name from an earlier piece that had a name and no arguments. */
function named({ last }: Calls, piece: CallPiece): CallPiece {
  return piece.name === '' && last?.namedAgain ? { ...piece, name: last.name } : piece;
}

function open(calls: Calls, { index, callId, name }: CallPiece, answerId: string): OpenCall {
  const part = calls.all.length;
  const call: OpenCall = {
    part,
    id: callId,
    callId: callId === '' ? madeCallId(answerId, part) : callId,
    name,
    named: name !== '',
    end: new ObjectEnd(),
    hasText: false,
    namedAgain: false,
  };
  if (index !== undefined) {
    call.index = index;
    calls.byIndex.set(index, call);
  }
  if (callId !== '') calls.byId.set(callId, call);
  calls.all.push(call);
  calls.last = call;
  return call;
}

/**
 * Adds to the id and the name. Returns whether they have changed. A name may come in pieces until the arguments come.
 */
function addMore(call: OpenCall, { callId, name }: CallPiece): boolean {
  const before = `${call.callId} ${call.name}`;
  if (call.id === '' && callId !== '') {
    call.id = callId;
    if (!call.hasText) call.callId = callId;
  }
  if (name !== '' && name !== call.name) {
    call.name = call.named ? call.name + name : name;
    call.named = true;
  }
  return `${call.callId} ${call.name}` !== before;
}

function start(call: OpenCall, choice: number): StreamEvent {
  return { type: 'tool-call-start', channel: channelOf(call, choice), callId: call.callId, name: call.name };
}

function channelOf({ part }: OpenCall, choice: number): Channel {
  return { kind: 'tool-arguments', choice, part };
}

/** An id for a call that has none. It differs between answers. */
export function madeCallId(answerId: string, index: number): string {
  return `call_${answerId.replace(/[^a-zA-Z0-9]/g, '').slice(-24)}_${index}`;
}

/** The arguments of a call as text. Some servers write them as the object itself. */
export function argumentsOf({ arguments: given }: JsonObject): { text: string; json?: true } {
  if (typeof given === 'string') return { text: given };
  return typeof given === 'object' && given !== null
    ? { text: JSON.stringify(given), json: true }
    : { text: '' };
}
