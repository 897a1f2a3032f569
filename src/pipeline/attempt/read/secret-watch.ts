import type { Channel } from '../../../core/answer.js';

/**
 * Looks for a provider's credentials in the text of a stream, however it is split. What was sent cannot be taken
 * back, so a credential counts as repeated once half of it has arrived.
 */
export class SecretWatch {
  readonly #halves: readonly string[];
  readonly #keeps: number;
  /** The end of the last channel's text; the ends of the other channels are in `#tails`. */
  #tail = '';
  #channel: Channel | undefined;
  readonly #tails = new Map<string, string>();

  /** None of the secrets may be short. */
  constructor(secrets: readonly string[]) {
    this.#halves = secrets.map((secret) => secret.slice(0, Math.ceil(secret.length / 2)));
    this.#keeps = Math.max(0, ...this.#halves.map(({ length }) => length - 1));
  }

  /** Whether the text of this channel repeats a secret, together with this piece. */
  sees(channel: Channel, piece: string): boolean {
    if (this.#halves.length === 0) return false;
    this.#turnTo(channel);
    const text = this.#tail + piece;
    if (this.#halves.some((half) => text.includes(half))) return true;
    this.#tail = text.length > this.#keeps ? text.slice(text.length - this.#keeps) : text;
    return false;
  }

  #turnTo(channel: Channel): void {
    const last = this.#channel;
    if (last === channel) return;
    this.#channel = channel;
    if (last?.kind === channel.kind && last.choice === channel.choice && last.part === channel.part) return;
    if (last !== undefined) this.#tails.set(keyOf(last), this.#tail);
    this.#tail = this.#tails.get(keyOf(channel)) ?? '';
  }
}

function keyOf({ kind, choice, part }: Channel): string {
  return `${kind} ${choice} ${part}`;
}
