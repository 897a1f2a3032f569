import type { JsonObject } from '../../core/json.js';
import { isDataUrl, readDataUrl } from './files/data-url.js';

/*
 * What a dialect knows about the members of its bodies. Guards see all strings, except those in places that the
 * dialect marks as "no text" and that also look like it: a card number is text even where a type should be.
 */

/** A member that is a string, or a list of strings. */
export interface Leaf {
  /** Why the strings are not text; absent where they are text. */
  readonly noText?: string;
  isNoText(value: string, holder: JsonObject): boolean;
  /** Nothing inside the member is examined. */
  readonly whole?: true;
  /** The strings are files in base64, some of which contain text. */
  readonly files?: true;
}

/** A member that is an object, or a list of objects. */
export class Members {
  #make: (() => Record<string, Known>) | undefined;
  #known: ReadonlyMap<string, Known> = new Map();
  #folded: ReadonlyMap<string, string> = new Map();
  /** The kind of a string that stands in place of the object, where the API allows one. */
  readonly string: Leaf;
  /** The kind of members that are not named here. */
  readonly others: Known | undefined;

  /**
   * `make` is called when the members are first needed, so that an object can contain its own kind. `others: 'same'`
   * gives members without a name this same kind.
   */
  constructor(
    make: () => Record<string, Known>,
    { string = text, others }: { string?: Leaf; others?: Known | 'same' } = {},
  ) {
    this.#make = make;
    this.string = string;
    this.others = others === 'same' ? this : others;
  }

  get known(): ReadonlyMap<string, Known> {
    if (this.#make !== undefined) {
      this.#known = new Map(Object.entries(this.#make()));
      this.#folded = new Map([...this.#known.keys()].map((key) => [folded(key), key]));
      this.#make = undefined;
    }
    return this.#known;
  }

  /** The known member that this key equals for a server that ignores upper and lower case. */
  lookalike(key: string): string | undefined {
    if (isPlain(key) || this.known.has(key)) return undefined;
    return this.#folded.get(folded(key));
  }
}

export type Known = Leaf | Members;

/** Whether a name has only lower-case letters, digits and `_`. Testing each letter takes a third of the time of a pattern. */
function isPlain(key: string): boolean {
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at);
    const isLetter = code >= 0x61 && code <= 0x7a;
    if (!isLetter && (code < 0x30 || code > 0x39) && code !== 0x5f) return false;
  }
  return true;
}

/** A name in the form in which Go's JSON compares names: `ſ` equals s, and the Kelvin sign equals k. */
function folded(key: string): string {
  return key.toUpperCase().toLowerCase();
}

/** A word has at most 8 digits, because numbers that identify people have more. */
const WORD = /^(?!(?:\D*\d){9})[A-Za-z_$][\w.:/+$-]{0,127}$/;

/** Whether a string looks like an identifier of a program. */
export function isWord(value: string): boolean {
  return WORD.test(value);
}

export const text: Leaf = { isNoText: () => false };

/** Kinds, roles, settings, and names of tools. */
export const word: Leaf = { noText: 'a word that a program chose', isNoText: isWord };

/** An id without any other meaning. */
export const id: Leaf = { noText: 'an id', isNoText: (value) => /^\S{0,512}$/.test(value) };

const EMAIL_ADDRESS = /@[^\s/]*\.\p{L}{2}/u;

/** The id of an end user; some applications send e-mail addresses. */
export const userId: Leaf = {
  noText: 'an id',
  isNoText: (value, holder) => id.isNoText(value, holder) && !EMAIL_ADDRESS.test(value),
};

/** Opaque data that only the API that made it can read. */
export const proof: Leaf = { noText: 'a proof', isNoText: (value) => /^[\w+/=.:-]*$/.test(value) };

/** Blanks between its letters mean nothing. */
const BASE64 = /^[A-Za-z0-9+/_\s-]*(?:=\s*){0,2}$/;

/** Whether a string is base64. Text inside it is still shown to guards, because files are read. */
function isData(value: string): boolean {
  return isDataUrl(value) ? readDataUrl(value) !== undefined : BASE64.test(value);
}

/** Shorter strings are shown, because a few letters can be anything. */
const FEWEST_BYTES = 20;

/** The bytes of a picture, a sound or a file. */
export const bytes: Leaf = {
  noText: 'bytes in base64',
  isNoText: (value, { type }) => type !== 'text' && value.length >= FEWEST_BYTES && isData(value),
  files: true,
};

/**
 * The address of a picture or file. Models do not read it, but guards see the parts of it that people may have
 * written.
 */
export const media: Leaf = {
  noText: 'bytes, or the address of a picture or a file',
  isNoText: (value) => (isDataUrl(value) ? isData(value) : /^(https?|gs|s3|file):\/\/\S*$/i.test(value)),
  files: true,
};

/**
 * The member for a link's address. A model reads only the title of a source in a request; in an answer the address
 * counts as text too.
 */
export type Link = typeof media | typeof text;

/** Strings that the model never sees, because they stay in the gateway or are meant for somebody else. */
export function whole(noText: string): Leaf {
  return { noText, isNoText: () => true, whole: true };
}

/** Numbers of what was used, and words such as the name of a tier. Any other string there is text. */
export const counts = new Members(() => ({}), { string: word, others: 'same' });

/** The metadata of a request. Anthropic gets its `user_id`, from clients of any API. */
export const metadata = new Members(() => ({ user_id: userId }), {
  others: whole('kept on the log and not told to the model'),
});

const uri: Leaf = {
  noText: 'the name of a part of a schema',
  isNoText: (value) => isWord(value) || /^(#[\w$/.-]*|https?:\/\/json-schema\.org\/[\w/.-]*#?)$/.test(value),
};

/** A JSON Schema, such as that of a tool's arguments. The model reads its descriptions, titles, examples and values. */
export const schema: Members = new Members(() => {
  const properties = new Members(() => ({}), { others: schema });
  return {
    $schema: uri,
    $ref: uri,
    $id: uri,
    $anchor: uri,
    type: word,
    format: word,
    required: word,
    properties,
    patternProperties: properties,
    $defs: properties,
    definitions: properties,
    dependentSchemas: properties,
    items: schema,
    prefixItems: schema,
    additionalProperties: schema,
    propertyNames: schema,
    contains: schema,
    anyOf: schema,
    oneOf: schema,
    allOf: schema,
    not: schema,
    if: schema,
    // biome-ignore lint/suspicious/noThenProperty: the keyword's own name.
    then: schema,
    else: schema,
  };
});
