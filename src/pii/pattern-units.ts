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

const QUANTIFIER = /(?:[*+?]|\{\d+(?:,\d*)?\})\??/y;
const GROUP = /\((?:\?(?::|<\w+>))?/y;
const LOOK = /\(\?<?[=!]/y;
const ATOM =
  /\\(?:[pP]\{\w+\}|u\{[\da-fA-F]+\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|k<\w+>|.)|\[(?:\\.|[^\]\\])*\]|[^()|[]/suy;

/** Units that are read from the beginning, or from the end. */
export const UNITS_READ = 4;

/** Is told which units can stand at each place, and which behind them. */
export interface Found {
  first(low: number, high: number): void;
  /** `place`, from 1 on, is that of the second of the two: `codes` stand there, behind those of `low` and `high`. */
  pair(place: number, low: number, high: number, codes: CodeSet): void;
}

/**
 * Where it stands in `states` what is reached: for each number of units that may have been read the codes of the last of
 * them, as `low` and `high`. So nothing is left behind: the patterns are read when the program starts.
 */
type State = number;

const STATE_SIZE = 2 * UNITS_READ;
const NONE: State = 0;
const START: State = STATE_SIZE;
const states = new Int32Array(1024 * STATE_SIZE);
states[START] = 1;
let used = START + STATE_SIZE;

function newState(): State {
  const state = used;
  used += STATE_SIZE;
  if (used > states.length) throw new Error('a pattern has groups in too many groups');
  states.fill(0, state, used);
  return state;
}

function addState(to: State, other: State): void {
  for (let k = 0; k < STATE_SIZE; k++) states[to + k]! |= states[other + k]!;
}

function union(one: State, other: State): State {
  if (one === NONE || other === NONE || one === other) return one === NONE ? other : one;
  const both = newState();
  addState(both, one);
  addState(both, other);
  return both;
}

const ANY: CodeSet = { low: -1, high: -1 };
const ONLY_NOTHING: CodeSet = { low: 1 << NOTHING, high: 0 };
const ONLY_OTHER: CodeSet = { low: 1 << OTHER, high: 0 };

/**
 * Tells `found` of the first units of all that `pattern` matches, or of the last ones, from the end on, where
 * `isBackward`. False where it is not bound to the beginning, or the end, of a text.
 */
export function readUnits(pattern: RegExp, isBackward: boolean, found: Found): boolean {
  const { source, flags } = pattern;
  if (isBackward ? !source.endsWith('$') : !source.startsWith('^')) return false;
  return new Reader(source, flags.includes('i'), isBackward, found).read();
}

class Reader {
  readonly #source: string;
  readonly #ignoresCase: boolean;
  readonly #isBackward: boolean;
  readonly #found: Found;
  #at = 0;

  constructor(source: string, ignoresCase: boolean, isBackward: boolean, found: Found) {
    this.#source = source;
    this.#ignoresCase = ignoresCase;
    this.#isBackward = isBackward;
    this.#found = found;
  }

  read(): boolean {
    used = START + STATE_SIZE;
    let state = NONE;
    for (let isMore = true; isMore; this.#at++) {
      const from = this.#at;
      state = union(state, this.#way(START));
      const isBound = this.#isBackward
        ? this.#source[this.#at - 1] === '$' && this.#source[this.#at - 2] !== '\\'
        : this.#source[from] === '^';
      if (!isBound) return false;
      isMore = this.#source[this.#at] === '|';
    }
    for (let k = 0; k < UNITS_READ; k++) state = this.#unit(state, ANY);
    return true;
  }

  /** What is reached behind a unit of these codes. */
  #unit(state: State, codes: CodeSet): State {
    if (state === NONE) return NONE;
    const next = newState();
    let isAny = false;
    for (let count = 0; count < UNITS_READ; count++) {
      const low = states[state + 2 * count]!;
      const high = states[state + 2 * count + 1]!;
      if ((low | high) === 0) continue;
      if (count === 0) this.#found.first(codes.low, codes.high);
      else this.#found.pair(count, low, high, codes);
      if (count + 1 === UNITS_READ) continue;
      isAny = true;
      states[next + 2 * count + 2]! |= codes.low;
      states[next + 2 * count + 3]! |= codes.high;
    }
    return isAny ? next : NONE;
  }

  /** All ways of a group. */
  #ways(state: State): State {
    const reached = newState();
    const mark = used;
    let isAny = false;
    for (;;) {
      const way = this.#way(state);
      if (way !== NONE) isAny = true;
      addState(reached, way);
      used = mark;
      if (this.#source[this.#at] !== '|') return isAny ? reached : NONE;
      this.#at++;
    }
  }

  #way(state: State): State {
    let reached = state;
    const starts: number[] | undefined = this.#isBackward ? [] : undefined;
    while (
      this.#at < this.#source.length &&
      this.#source[this.#at] !== '|' &&
      this.#source[this.#at] !== ')'
    ) {
      starts?.push(this.#at);
      reached = this.#repeated(starts === undefined ? reached : NONE);
    }
    if (starts === undefined) return reached;
    const end = this.#at;
    reached = state;
    for (let k = starts.length - 1; k >= 0 && reached !== NONE; k--) {
      this.#at = starts[k]!;
      reached = this.#repeated(reached);
    }
    this.#at = end;
    return reached;
  }

  #repeated(state: State): State {
    const from = this.#at;
    let reached = this.#part(state);
    const behind = this.#at;
    if (!this.#take(QUANTIFIER)) return reached;
    const end = this.#at;
    const quantifier = this.#source[behind]!;
    for (let k = 1, last = reached; quantifier !== '?' && last !== NONE && k < UNITS_READ; k++) {
      this.#at = from;
      last = this.#part(last);
      reached = union(reached, last);
    }
    this.#at = end;
    const isOptional = quantifier === '*' || quantifier === '?' || this.#source.startsWith('{0', behind);
    return isOptional ? union(reached, state) : reached;
  }

  /** Whether it stands here: then it is passed over. */
  #take(form: RegExp): boolean {
    form.lastIndex = this.#at;
    if (!form.test(this.#source)) return false;
    this.#at = form.lastIndex;
    return true;
  }

  #part(state: State): State {
    const from = this.#at;
    const isLook = this.#take(LOOK);
    if (isLook || this.#take(GROUP)) {
      const reached = this.#ways(isLook ? NONE : state);
      this.#at++;
      return isLook ? state : reached;
    }
    if (!this.#take(ATOM)) throw new Error(`${this.#source} cannot be read at ${from}`);
    if (state === NONE) return NONE;
    const atom = this.#source.slice(from, this.#at);
    if (atom === '\\b' || atom === '\\B') return state;
    // An end inside of the pattern: behind it nothing stands.
    if (atom === '^' || atom === '$')
      return (atom === '$') === this.#isBackward ? state : this.#unit(state, ONLY_NOTHING);
    if (/^\\(?:k|[1-9])/.test(atom)) return this.#anything(state);
    return this.#atom(state, codesOf(atom, this.#ignoresCase));
  }

  /** What lies beyond U+FFFF has two units. */
  #atom(state: State, codes: CodeSet): State {
    const one = this.#unit(state, codes);
    if ((codes.low & (1 << OTHER)) === 0) return one;
    return union(
      one,
      this.#isBackward ? this.#unit(this.#unit(state, ONLY_OTHER), codes) : this.#unit(one, ONLY_OTHER),
    );
  }

  #anything(state: State): State {
    let reached = state;
    for (let k = 0, last = state; k < UNITS_READ; k++) {
      last = this.#unit(last, ANY);
      reached = union(reached, last);
    }
    return reached;
  }
}

const known = [new Map<string, CodeSet>(), new Map<string, CodeSet>()] as const;

/** The codes of the units that a class, an escape or a letter matches. */
function codesOf(atom: string, ignoresCase: boolean): CodeSet {
  const sets = known[ignoresCase ? 1 : 0];
  let found = sets.get(atom);
  if (found === undefined) {
    found = readCodes(atom, ignoresCase);
    sets.set(atom, found);
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
