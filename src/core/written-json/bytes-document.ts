import type { JsonDocument, JsonObject } from '../json.js';
import type { JsonOutline, MemberSpan } from '../json-scan.js';
import { isAsStringified } from './as-stringified.js';

/** A shorter body is written for its log in less time than it takes to check its text. */
export const LEAST_COPIED = 4_096;

type MemberPlace = Pick<MemberSpan, 'key' | 'start' | 'end'>;

const OPEN = Buffer.from('{');
const COMMA = Buffer.from(',');
const CLOSE = Buffer.from('}');

/**
 * A JSON document that came as UTF-8. Its text and its value can be dropped while nobody needs them, and are made again where
 * somebody does. A collection of garbage copies texts and objects that outlive it, but not these bytes.
 */
export class BytesDocument implements JsonDocument {
  #text: string | undefined;
  #value: JsonObject | undefined;
  /** The places of its members in the bytes, once they were looked for; null where `writtenWithout` cannot be used. */
  #members: readonly MemberPlace[] | null | undefined;

  constructor(
    readonly bytes: Buffer,
    text: string,
    value: JsonObject,
    readonly outline?: JsonOutline,
  ) {
    this.#text = text;
    this.#value = value;
  }

  get text(): string {
    this.#text ??= this.bytes.toString('utf8');
    return this.#text;
  }

  get value(): JsonObject {
    this.#value ??= JSON.parse(this.text) as JsonObject;
    return this.#value;
  }

  /** Whether it has its value at the moment. Otherwise `writtenWithout` can be used. */
  get hasValue(): boolean {
    return this.#value !== undefined;
  }

  /** Drops the text. What `writtenWithout` needs of it is looked up before. */
  dropText(): void {
    this.#lookUp();
    this.#text = undefined;
  }

  /** Drops the value too, where `writtenWithout` can be used in its place. */
  dropValue(): void {
    this.dropText();
    if (this.#members !== null) this.#value = undefined;
  }

  /**
   * What `JSON.stringify` would write for the value without one member, as pieces of the bytes. Undefined where the document
   * is written differently.
   */
  writtenWithout(key: string): Buffer[] | undefined {
    const members = this.#lookUp();
    if (members === null) return undefined;
    const pieces: Buffer[] = [];
    const add = (start: number, end: number) =>
      pieces.push(pieces.length === 0 ? OPEN : COMMA, this.bytes.subarray(start, end));
    let from = 0;
    for (const [index, member] of members.entries()) {
      if (member.key !== key) continue;
      if (index > from) add(members[from]!.start, members[index - 1]!.end);
      from = index + 1;
    }
    if (from < members.length) add(members[from]!.start, members.at(-1)!.end);
    return pieces.length === 0 ? [OPEN, CLOSE] : [...pieces, CLOSE];
  }

  #lookUp(): readonly MemberPlace[] | null {
    if (this.#members === undefined) {
      const members = this.outline?.members;
      this.#members = members !== undefined && isAsStringified(this) ? this.#inBytes(members) : null;
    }
    return this.#members;
  }

  /** The places of members in the bytes, from those in the text. They are the same where each character is one byte. */
  #inBytes(members: readonly MemberPlace[]): readonly MemberPlace[] {
    const { text } = this;
    if (text.length === this.bytes.length) return members;
    let units = 0;
    let bytes = 0;
    const inBytes = (offset: number) => {
      bytes += Buffer.byteLength(text.slice(units, offset));
      units = offset;
      return bytes;
    };
    return members.map(({ key, start, end }) => ({
      key,
      start: inBytes(start),
      end: inBytes(end),
    }));
  }
}
