import { createHash } from 'node:crypto';
import type { LeftOut, NeutralRequest } from '../../core/answer.js';
import type { Message, Part, ToolChoice } from '../../core/message.js';
import type { Steps } from '../../core/pacing/steps.js';
import { endsStep } from '../texts/fields.js';
import type { NameBound } from '../wire/name-bound.js';

/*
 * The limits of providers for translated requests: names of tools, ids of calls, stop sequences, the user's id. What
 * exceeds a limit is shortened, and names are mapped back in the answer.
 */

export interface Bounds {
  toolName: NameBound;
  callId: NameBound;
  /** The most characters of the user's id; 0 where the API has no such member. */
  user: number;
  /** The most stop sequences. */
  stop: number;
}

/** Long enough that the many calls of one conversation do not collide. */
const HASH_LENGTH = 8;

export interface Fitted {
  request: NeutralRequest;
  /** The client's names of tools by the names that the provider gets; empty where they are the same. */
  names: ReadonlyMap<string, string>;
}

/** The request within the limits of a provider. */
export function* fitRequest(request: NeutralRequest, bounds: Bounds): Steps<Fitted> {
  const names = new ToolNames(request, bounds.toolName);
  const ids = new CallIds(bounds.callId);
  const messages: Message[] = [];
  const answered = new AnsweredCalls();
  for (const [index, message] of request.messages.entries()) {
    if (endsStep(index)) yield;
    const once = answered.withoutRepeats(message);
    if (once !== undefined) messages.push(withNames(once, names, ids));
  }
  const leftOut: LeftOut[] = [...(request.leftOut ?? [])];
  const stop = request.stop?.slice(0, bounds.stop);
  if (request.stop !== undefined && request.stop.length > bounds.stop) {
    const why = `the provider takes at most ${bounds.stop}`;
    leftOut.push({ path: `stop[${bounds.stop}]`, what: 'stop', why });
  }
  const fitted: NeutralRequest = { ...request, messages };
  if (stop !== undefined) fitted.stop = stop;
  if (leftOut.length > 0) fitted.leftOut = leftOut;
  if (request.tools !== undefined) {
    fitted.tools = request.tools.map((tool) => ({ ...tool, name: names.short(tool.name) }));
  }
  if (request.toolChoice !== undefined) fitted.toolChoice = withName(request.toolChoice, names);
  const user = fittingUser(request.user, bounds.user);
  if (user !== undefined) fitted.user = user;
  return { request: user === undefined ? withoutUser(fitted) : fitted, names: names.changed };
}

function withoutUser(request: NeutralRequest): NeutralRequest {
  if (request.user === undefined) return request;
  const { user: _user, ...rest } = request;
  return rest;
}

/** Replaces an id that is too long by its hash, which still distinguishes users. */
function fittingUser(user: string | undefined, longest: number): string | undefined {
  if (user === undefined || longest === 0) return undefined;
  return user.length <= longest ? user : `user-${hash(user, 32)}`;
}

function withName(choice: ToolChoice, names: ToolNames): ToolChoice {
  return choice.type === 'tool' ? { type: 'tool', name: names.short(choice.name) } : choice;
}

function withNames(message: Message, names: ToolNames, ids: CallIds): Message {
  if (!message.parts.some(({ type }) => type === 'tool-call' || type === 'tool-result')) return message;
  const parts = message.parts.map((part): Part => {
    if (part.type === 'tool-call') return { ...part, id: ids.ofCall(part.id), name: names.short(part.name) };
    return part.type === 'tool-result' ? { ...part, callId: ids.ofResult(part.callId) } : part;
  });
  return { ...message, parts };
}

/**
 * Some clients repeat a result when they continue an earlier conversation. Providers accept one result for each call.
 */
class AnsweredCalls {
  readonly #ids = new Set<string>();

  /** The message without repeated results; undefined where it contains nothing else. */
  withoutRepeats(message: Message): Message | undefined {
    const isRepeat = (part: Part): boolean => {
      // A later call may have the same id.
      if (part.type === 'tool-call') this.#ids.delete(part.id);
      if (part.type !== 'tool-result' || part.callId === '') return false;
      const isKnown = this.#ids.has(part.callId);
      this.#ids.add(part.callId);
      return isKnown;
    };
    const parts = message.parts.filter((part) => !isRepeat(part));
    if (parts.length === message.parts.length) return message;
    return parts.length === 0 ? undefined : { ...message, parts };
  }
}

/** Replaces the names of a request's tools and calls by names that the provider accepts. */
class ToolNames {
  /** The client's names by the provider's names. */
  readonly changed = new Map<string, string>();
  readonly #short = new Map<string, string>();
  readonly #taken: Set<string>;

  constructor(
    { tools = [] }: NeutralRequest,
    private readonly bound: NameBound,
  ) {
    this.#taken = new Set(tools.map(({ name }) => name).filter((name) => fits(name, bound)));
  }

  short(name: string): string {
    if (fits(name, this.bound)) return name;
    const known = this.#short.get(name);
    if (known !== undefined) return known;
    const short = this.#find(name);
    this.#short.set(name, short);
    this.#taken.add(short);
    this.changed.set(short, name);
    return short;
  }

  #find(name: string): string {
    const plain = fitting(name, this.bound);
    if (plain.length <= this.bound.longest && !this.#taken.has(plain)) return plain;
    const begin = plain.slice(0, this.bound.longest - HASH_LENGTH - 1);
    return `${begin}_${hash(name, HASH_LENGTH)}`;
  }
}

/**
 * Replaces ids of calls so that calls and their results stay together: equal ids stay equal. Empty ids are replaced
 * in their order.
 */
class CallIds {
  #calls = 0;
  #results = 0;

  constructor(private readonly bound: NameBound) {}

  ofCall(id: string): string {
    return this.#fit(id === '' ? `call_${++this.#calls}` : id);
  }

  ofResult(id: string): string {
    return this.#fit(id === '' ? `call_${++this.#results}` : id);
  }

  #fit(id: string): string {
    return fittingId(id, this.bound);
  }
}

/** An id of a call in the form that a provider accepts. Equal ids stay equal. */
export function fittingId(id: string, bound: NameBound): string {
  if (fits(id, bound)) return id;
  if (bound.exact) return hash(id, bound.longest);
  const plain = fitting(id, bound);
  return plain !== '' && plain.length <= bound.longest ? plain : `call_${hash(id, 24)}`;
}

function fits(name: string, { longest, others, begin, exact }: NameBound): boolean {
  if (name === '' || name.length > longest || (exact && name.length !== longest)) return false;
  return !others.test(name) && (begin === undefined || begin.test(name));
}

function fitting(name: string, { others, begin }: NameBound): string {
  const plain = name.replace(new RegExp(others.source, 'g'), '_');
  return begin === undefined || begin.test(plain) ? plain : `_${plain}`;
}

function hash(text: string, length: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, length);
}
