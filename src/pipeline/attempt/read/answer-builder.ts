import type { Answer, Channel, Choice, StreamEvent } from '../../../core/answer.js';
import { assertNever } from '../../../core/assert-never.js';
import type { Part, Usage } from '../../../core/message.js';

/** A part that still grows. Its texts are collected in pieces and joined once. */
interface OpenPart {
  part: Part;
  texts: string[];
}

interface OpenChoice {
  choice: Choice;
  /** By channel. */
  pieces: Map<string, OpenPart>;
}

/** The memory that an event and a new part take beside their text, in UTF-16 units. */
const EVENT_UNITS = 8;
const PART_UNITS = 256;

/**
 * Assembles the answer from a stream's events. It keeps about `mostUnits` UTF-16 units of text and a limited number
 * of parts, because a provider may never stop.
 */
export class AnswerBuilder {
  readonly #choices = new Map<number, OpenChoice>();
  readonly #answer: Answer = { id: '', model: '', choices: [] };
  /** The length of the text so far, in UTF-16 units. */
  length = 0;
  /** Whether there was more text than is kept. */
  cut = false;
  /** The number of pieces of text so far. */
  deltas = 0;
  /** Whether the stream's own end has arrived. */
  complete = false;
  errorMessage?: string;
  /** The approximate size of what is kept, in UTF-16 units. */
  #held = 0;
  #parts = 0;
  /** The channel of the last delta and its part, because most deltas continue it. */
  #lastChannel?: Channel;
  #lastPart?: OpenPart;

  constructor(
    private readonly mostUnits = Number.POSITIVE_INFINITY,
    private readonly mostParts = Number.POSITIVE_INFINITY,
  ) {}

  /** Adds the text of one or several deltas of a channel. */
  addText(channel: Channel, text: string, deltas = 1): void {
    this.length += text.length;
    this.deltas += deltas;
    if (this.#keeps(text)) this.#piece(channel).texts.push(text);
  }

  add(event: StreamEvent): void {
    switch (event.type) {
      case 'start':
        this.#answer.id = event.id;
        this.#answer.model = event.model;
        this.#answer.created = event.created;
        break;
      case 'delta':
        this.addText(event.channel, event.text);
        break;
      case 'tool-call-start': {
        if (!this.#keeps(event.name)) break;
        const { part } = this.#piece(event.channel);
        if (part.type === 'tool-call') {
          part.id = event.callId;
          part.name = event.name;
          if (event.freeform) part.freeform = true;
        }
        break;
      }
      case 'signature': {
        if (!this.#keeps(event.signature)) break;
        const { part } = this.#piece(event.channel);
        if (part.type === 'reasoning') part.signature = (part.signature ?? '') + event.signature;
        break;
      }
      case 'finish':
        this.#choice(event.choice).choice.finishReason = event.reason;
        if (event.stopSequence !== undefined) this.#answer.stopSequence = event.stopSequence;
        break;
      case 'usage':
        this.#answer.usage = { ...this.#answer.usage, ...event.usage };
        break;
      case 'error':
        this.errorMessage = event.message;
        break;
      case 'end':
        this.complete = true;
        break;
      case 'part-end':
        break;
      default:
        assertNever(event);
    }
  }

  /** Whether a choice has finished. */
  get finished(): boolean {
    return [...this.#choices.values()].some(({ choice }) => choice.finishReason !== null);
  }

  /** Whether neither a part of an answer nor a finish reason has arrived. */
  get isEmpty(): boolean {
    return this.#choices.size === 0;
  }

  get usage(): Usage | undefined {
    return this.#answer.usage;
  }

  build(): Answer {
    const open = [...this.#choices.values()].sort((one, other) => one.choice.index - other.choice.index);
    for (const { choice, pieces } of open) {
      choice.parts = [...pieces.values()].map(({ part, texts }) => withText(part, texts.join('')));
    }
    return { ...this.#answer, choices: open.map(({ choice }) => choice) };
  }

  #keeps(text: string): boolean {
    this.#held += EVENT_UNITS + text.length;
    if (this.#held > this.mostUnits || this.#parts > this.mostParts) this.cut = true;
    return !this.cut;
  }

  #choice(index: number): OpenChoice {
    let open = this.#choices.get(index);
    if (open === undefined) {
      this.#held += PART_UNITS;
      open = { choice: { index, parts: [], finishReason: null }, pieces: new Map() };
      this.#choices.set(index, open);
    }
    return open;
  }

  #piece(channel: Channel): OpenPart {
    if (this.#lastPart === undefined || this.#lastChannel !== channel) {
      this.#lastChannel = channel;
      this.#lastPart = this.#find(channel);
    }
    return this.#lastPart;
  }

  #find(channel: Channel): OpenPart {
    const { pieces } = this.#choice(channel.choice);
    const key = `${channel.kind}/${channel.part}`;
    let piece = pieces.get(key);
    if (piece === undefined) {
      piece = { part: emptyPart(channel), texts: [] };
      this.#held += PART_UNITS;
      this.#parts++;
      pieces.set(key, piece);
    }
    return piece;
  }
}

function emptyPart(channel: Channel): Part {
  switch (channel.kind) {
    case 'text':
      return { type: 'text', text: '' };
    case 'reasoning':
      return { type: 'reasoning', text: '' };
    case 'refusal':
      return { type: 'refusal', text: '' };
    case 'tool-arguments':
      return { type: 'tool-call', id: '', name: '', arguments: '' };
    default:
      return assertNever(channel.kind);
  }
}

function withText(part: Part, text: string): Part {
  if (part.type === 'tool-call') return { ...part, arguments: text };
  return 'text' in part ? { ...part, text } : part;
}
