import type { JsonObject } from '../../core/json.js';
import { isDataUrl, readDataUrl } from './files/data-url.js';

/*
 * What a dialect knows of the members of its bodies. All strings are shown to guards but those that stand where a
 * dialect says "no text" and look the part: a card number is text, even where a type should stand.
 */

/** A string, or a list of strings. */
export interface Leaf {
  /** Why the strings there are no text; absent for text. */
  readonly noText?: string;
  isNoText(value: string, holder: JsonObject): boolean;
  /** Nothing below it is looked at, whatever it is. */
  readonly whole?: true;
  /** Files stand there in base64, and some hold text. */
  readonly files?: true;
}

/** An object, or a list of objects. */
export class Members {
  #make: (() => Record<string, Known>) | undefined;
  #known: ReadonlyMap<string, Known> = new Map();
  #folded: ReadonlyMap<string, string> = new Map();
  /** What a string in its place is, where a string may stand there too. */
  readonly string: Leaf;
  /** What members are that it does not name. */
  readonly others: Known | undefined;

  /** `make` is called late, so that members can hold themselves. */
  constructor(
    make: () => Record<string, Known>,
    { string = text, others }: { string?: Leaf; others?: Known } = {},
  ) {
    this.#make = make;
    this.string = string;
    this.others = others;
  }

  get known(): ReadonlyMap<string, Known> {
    if (this.#make !== undefined) {
      this.#known = new Map(Object.entries(this.#make()));
      this.#folded = new Map([...this.#known.keys()].map((key) => [folded(key), key]));
      this.#make = undefined;
    }
    return this.#known;
  }

  /** The member that this one would be for a server that takes capitals and small letters for the same. */
  lookalike(key: string): string | undefined {
    if (isPlain(key) || this.known.has(key)) return undefined;
    return this.#folded.get(folded(key));
  }
}

export type Known = Leaf | Members;

/** Small letters, digits and `_` alone. A test of each letter takes a third of what a pattern does. */
function isPlain(key: string): boolean {
  for (let at = 0; at < key.length; at++) {
    const code = key.charCodeAt(at);
    const isLetter = code >= 0x61 && code <= 0x7a;
    if (!isLetter && (code < 0x30 || code > 0x39) && code !== 0x5f) return false;
  }
  return true;
}

/** As Go's JSON compares names: `ſ` is an s and the Kelvin sign a k. */
function folded(key: string): string {
  return key.toUpperCase().toLowerCase();
}

/** At most 8 digits: what people have numbers for has more. */
const WORD = /^(?!(?:\D*\d){9})[A-Za-z_$][\w.:/+$-]{0,127}$/;

/** Whether a string is a name as programs have them. */
export function isWord(value: string): boolean {
  return WORD.test(value);
}

export const text: Leaf = { isNoText: () => false };

/** Kinds, roles, settings, and names of tools. */
export const word: Leaf = { noText: 'a word that a program chose', isNoText: isWord };

/** Says which one, and no more. */
export const id: Leaf = { noText: 'an id', isNoText: (value) => /^\S{0,512}$/.test(value) };

const EMAIL_ADDRESS = /@[^\s/]*\.\p{L}{2}/u;

/** Of somebody that an application serves: some give providers e-mail addresses. */
export const userId: Leaf = {
  noText: 'an id',
  isNoText: (value, holder) => id.isNoText(value, holder) && !EMAIL_ADDRESS.test(value),
};

/** What only the API that made it can read. */
export const proof: Leaf = { noText: 'a proof', isNoText: (value) => /^[\w+/=.:-]*$/.test(value) };

/** Blanks between its letters mean nothing. */
const BASE64 = /^[A-Za-z0-9+/_\s-]*(?:=\s*){0,2}$/;

/** What is text in it is shown, since files are read. */
function isData(value: string): boolean {
  return isDataUrl(value) ? readDataUrl(value) !== undefined : BASE64.test(value);
}

/** What is shorter is shown: a few letters can be anything. */
const FEWEST_BYTES = 20;

/** The bytes of a picture, a sound or a file. */
export const bytes: Leaf = {
  noText: 'bytes in base64',
  isNoText: (value, { type }) => type !== 'text' && value.length >= FEWEST_BYTES && isData(value),
  files: true,
};

/** Where the bytes of a picture or a file are. Nobody reads the address to the model, but what persons wrote into it is shown. */
export const media: Leaf = {
  noText: 'bytes, or the address of a picture or a file',
  isNoText: (value) => (isDataUrl(value) ? isData(value) : /^(https?|gs|s3|file):\/\/\S*$/i.test(value)),
  files: true,
};

/** What a model reads of a source is its title; in an answer its address is text like all else. */
export type Link = typeof media | typeof text;

/** Not for the model: kept here, or for somebody else. */
export function whole(noText: string): Leaf {
  return { noText, isNoText: () => true, whole: true };
}

/** Of a request. Anthropic gets the `user_id` in it, from clients of any API. */
export const metadata = new Members(() => ({ user_id: userId }), {
  others: whole('kept on the log and not told to the model'),
});

const uri: Leaf = {
  noText: 'the name of a part of a schema',
  isNoText: (value) => isWord(value) || /^(#[\w$/.-]*|https?:\/\/json-schema\.org\/[\w/.-]*#?)$/.test(value),
};

/** JSON Schema, such as that of a tool's arguments. Descriptions, titles, examples and values are for the model. */
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
