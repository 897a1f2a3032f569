/**
 * Reads a pattern for the units that can stand at its beginning, or at its end: which first, and which side by side. What
 * is read is never less than the pattern matches: a look-around counts for nothing, and a repetition for any number.
 */

/** Units of the same code are not told apart: a letter of ASCII has one of its own, the others are few. */
export const CODES = 64;
export const NOTHING = 0;
const OTHER = 1;
const SIGNS = " \n.,'-:(";
const DIGIT = 10;
const OTHER_SIGN = 11;
const FIRST_CAPITAL = 12;
const FIRST_SMALL = FIRST_CAPITAL + 26;
const ASCII = 0x80;

/** Of each unit of ASCII; what lies beyond has OTHER, and what lies behind the end of a text NOTHING. */
const codes = new Uint8Array(ASCII).map((_, unit) => {
  const char = String.fromCharCode(unit);
  if (/[a-z]/.test(char)) return FIRST_SMALL + unit - 0x61;
  if (/[A-Z]/.test(char)) return FIRST_CAPITAL + unit - 0x41;
  if (/\d/.test(char)) return DIGIT;
  const sign = SIGNS.indexOf(char);
  return sign < 0 ? OTHER_SIGN : OTHER + 1 + sign;
});

/** The code of the unit at an offset. */
export function codeAt(text: string, at: number): number {
  if (at < 0 || at >= text.length) return NOTHING;
  const unit = text.charCodeAt(at);
  return unit < ASCII ? codes[unit]! : OTHER;
}

/** A bit for each code, the first 32 in `low`. */
export interface CodeSet {
  low: number;
  high: number;
}

function addCode(set: CodeSet, code: number): void {
  if (code < 32) set.low |= 1 << code;
  else set.high |= 1 << (code - 32);
}

/** A place of the pattern that one unit stands at, and the places that the next one can stand at. */
export interface Place {
  codes: CodeSet;
  next: Set<Place>;
}

/** A part of a pattern: where it begins and ends, and whether it may be missing. */
interface Part {
  first: ReadonlySet<Place>;
  last: ReadonlySet<Place>;
  isOptional: boolean;
}

const EMPTY: Part = { first: new Set(), last: new Set(), isOptional: true };
const ALL_CODES: CodeSet = { low: -1, high: -1 };

const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/y;
const GROUP = /\((?:\?(?::|<\w+>))?/y;
const LOOK = /\(\?<?[=!]/y;
const ATOM =
  /\\(?:[pP]\{\w+\}|u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|k<\w+>|.)|\[(?:\\.|[^\]\\])*\]|[^()|[]/suy;

/**
 * The places that the first unit of what `pattern` matches can stand at, or the last one where `isBackward`. Undefined
 * where that is not bound to the beginning, or the end, of a text.
 */
export function placesOf(pattern: RegExp, isBackward: boolean): ReadonlySet<Place> | undefined {
  if (isBackward ? !pattern.source.endsWith('$') : !pattern.source.startsWith('^')) return undefined;
  const ways = new Reader(pattern, isBackward).ways();
  if (!ways.every(({ isBound }) => isBound)) return undefined;
  return inOrder(either(ways.map(({ part }) => part)), anything()).first;
}

/** Any units, and what lies behind the end. */
function anything(): Part {
  const any: Place = { codes: ALL_CODES, next: new Set() };
  any.next.add(any);
  return { first: new Set([any]), last: new Set([any]), isOptional: false };
}

function inOrder(one: Part, other: Part): Part {
  for (const place of one.last) for (const next of other.first) place.next.add(next);
  return {
    first: one.isOptional ? new Set([...one.first, ...other.first]) : one.first,
    last: other.isOptional ? new Set([...one.last, ...other.last]) : other.last,
    isOptional: one.isOptional && other.isOptional,
  };
}

function either(parts: readonly Part[]): Part {
  return {
    first: new Set(parts.flatMap(({ first }) => [...first])),
    last: new Set(parts.flatMap(({ last }) => [...last])),
    isOptional: parts.some(({ isOptional }) => isOptional),
  };
}

function ofUnit(of: CodeSet): Part {
  const places = new Set([{ codes: of, next: new Set<Place>() }]);
  return { first: places, last: places, isOptional: false };
}

class Reader {
  readonly #source: string;
  readonly #flags: string;
  readonly #isBackward: boolean;
  #at = 0;

  constructor({ source, flags }: RegExp, isBackward: boolean) {
    this.#source = source;
    this.#flags = flags.replace(/[gyd]/g, '');
    this.#isBackward = isBackward;
  }

  /** Each way of the whole, and whether the anchor binds it. */
  ways(): { part: Part; isBound: boolean }[] {
    const ways: { part: Part; isBound: boolean }[] = [];
    for (;;) {
      const from = this.#at;
      const part = this.#way();
      const isBound = this.#isBackward
        ? this.#source[this.#at - 1] === '$' && this.#source[this.#at - 2] !== '\\'
        : this.#source[from] === '^';
      ways.push({ part, isBound });
      if (this.#source[this.#at] !== '|') return ways;
      this.#at++;
    }
  }

  #way(): Part {
    let part = EMPTY;
    while (this.#at < this.#source.length && !'|)'.includes(this.#source[this.#at]!)) {
      const next = this.#repeated(this.#unit());
      part = this.#isBackward ? inOrder(next, part) : inOrder(part, next);
    }
    return part;
  }

  #take(form: RegExp): RegExpExecArray | null {
    form.lastIndex = this.#at;
    const found = form.exec(this.#source);
    if (found !== null) this.#at = form.lastIndex;
    return found;
  }

  #unit(): Part {
    if (this.#take(LOOK) !== null) {
      this.#group();
      return EMPTY;
    }
    if (this.#take(GROUP) !== null) return this.#group();
    const atom = this.#take(ATOM)?.[0];
    if (atom === undefined) throw new Error(`${this.#source} cannot be read at ${this.#at}`);
    if (atom === '^' || atom === '$') return this.#anchor(atom);
    if (/^\\[bB]$/.test(atom)) return EMPTY;
    if (/^\\(?:k|[1-9])/.test(atom)) return { ...anything(), isOptional: true };
    const codes = codesOf(atom, this.#flags);
    const unit = ofUnit(codes);
    if ((codes.low & (1 << OTHER)) === 0) return unit;
    // What lies beyond U+FFFF has two units.
    const second = { ...ofUnit({ low: 1 << OTHER, high: 0 }), isOptional: true };
    return this.#isBackward ? inOrder(second, unit) : inOrder(unit, second);
  }

  /** An end inside of the pattern: behind it nothing stands. */
  #anchor(anchor: string): Part {
    return (anchor === '$') === this.#isBackward ? EMPTY : ofUnit({ low: 1 << NOTHING, high: 0 });
  }

  #group(): Part {
    const parts = this.ways().map(({ part }) => part);
    this.#at++;
    return parts.length === 1 ? parts[0]! : either(parts);
  }

  #repeated(part: Part): Part {
    const quantifier = this.#take(QUANTIFIER);
    if (quantifier === null) return part;
    if (quantifier[0][0] !== '?')
      for (const place of part.last) for (const next of part.first) place.next.add(next);
    const isOptional = part.isOptional || /^[*?]/.test(quantifier[0]) || quantifier[1] === '0';
    return { ...part, isOptional };
  }
}

const known = new Map<string, CodeSet>();

/** The codes of the units that a class, an escape or a letter matches. */
function codesOf(atom: string, flags: string): CodeSet {
  const key = flags.includes('i') ? `i${atom}` : `=${atom}`;
  let found = known.get(key);
  if (found === undefined) {
    found = readCodes(atom, flags.includes('i'));
    known.set(key, found);
  }
  return found;
}

/** A unit of a class, as it is written. */
const ITEM = /\\(?:[pP]\{\w+\}|u[\da-f]{4}|x[\da-f]{2}|.)|./gisu;
/** What stands for several units. */
const SEVERAL = /^(?:\\[pPdDwWsS]|\.$)/;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', 0: '\0' };

function readCodes(atom: string, ignoresCase: boolean): CodeSet {
  const isClass = atom[0] === '[';
  const isNegated = atom.startsWith('[^');
  const items = isClass ? (atom.slice(isNegated ? 2 : 1, -1).match(ITEM) ?? []) : [atom];
  const has = new Uint8Array(ASCII);
  for (let i = 0; i < items.length; i++) {
    const isRange = items[i + 1] === '-' && i + 2 < items.length;
    if (!isRange && SEVERAL.test(items[i]!) && !(isClass && items[i] === '.')) {
      addSeveral(items[i]!, ignoresCase, has);
      continue;
    }
    const end = isRange ? items[i + 2]! : items[i]!;
    for (let unit = unitOf(items[i]!); unit <= Math.min(unitOf(end), ASCII - 1); unit++) {
      has[unit] = 1;
      if (ignoresCase && isLetter(unit)) has[unit ^ 0x20] = 1;
    }
    if (isRange) i += 2;
  }
  const found: CodeSet = { low: 0, high: 0 };
  for (let unit = 0; unit < ASCII; unit++) if ((has[unit] === 1) !== isNegated) addCode(found, codes[unit]!);
  // A class may have units beyond ASCII, and so has a letter whose case does not matter: the long s.
  if (isClass || SEVERAL.test(atom) || unitOf(atom) >= ASCII || ignoresCase) addCode(found, OTHER);
  return found;
}

function isLetter(unit: number): boolean {
  return codes[unit]! >= FIRST_CAPITAL;
}

const several = new Map<string, Uint8Array>();

function addSeveral(item: string, ignoresCase: boolean, has: Uint8Array): void {
  const key = `${ignoresCase} ${item}`;
  let units = several.get(key);
  if (units === undefined) {
    const pattern = new RegExp(item, ignoresCase ? 'iu' : 'u');
    units = new Uint8Array(ASCII).map((_, unit) => Number(pattern.test(String.fromCharCode(unit))));
    several.set(key, units);
  }
  for (let unit = 0; unit < ASCII; unit++) has[unit]! |= units[unit]!;
}

/** That of a letter, or of the escape of one. */
function unitOf(item: string): number {
  if (item[0] !== '\\') return item.charCodeAt(0);
  if (/^\\[ux]/.test(item)) return Number.parseInt(item.slice(2).replace(/[{}]/g, ''), 16);
  return (ESCAPES[item[1]!] ?? item[1]!).charCodeAt(0);
}
