/**
 * The detector's time grows linearly with the length of the text, whatever stands in it. Counted, not timed: every
 * call of a regular expression is charged with the units it can have read, searches and looks at units likewise; the
 * charge for each unit of text must not grow from a short text to one of a megabyte. Nor must that of a single step,
 * after which other work gets its turn.
 */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDetector, type Detector } from '../../src/pii/index.js';

/** What a sticky pattern can read at most: all of them are bounded, the longest is that of a web address. */
const STICKY_UNITS = 64;
const SHORT = 16 * 1024;
/** Units read for one unit of text, in the worst of the texts below. */
const MOST_WORK = 2000;
/** Units read in one step, of however long a text. */
const MOST_WORK_AT_ONCE = 250_000;
const LONG = 128 * 1024;
const MEGABYTE = 1024 * 1024;

let work = 0;
const { exec, test: testPattern } = RegExp.prototype;
const { indexOf, lastIndexOf, charCodeAt } = String.prototype;

/** Units read by a search from `from` that ended at `match`, or at the end of the text. */
function charge(
  pattern: RegExp,
  text: string,
  from: number,
  match: { index: number; 0: string } | null,
): void {
  const length = match?.[0].length ?? 0;
  if (pattern.sticky) work += Math.min(STICKY_UNITS, text.length - from) + length;
  else work += (match === null ? text.length : match.index + length) - from;
}

beforeEach(() => {
  RegExp.prototype.exec = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const match = exec.call(this, text);
    charge(this, text, from, match);
    return match;
  };
  RegExp.prototype.test = function (text) {
    const from = this.global || this.sticky ? this.lastIndex : 0;
    const isFound = testPattern.call(this, text);
    work += this.sticky ? STICKY_UNITS : text.length - from;
    return isFound;
  };
  String.prototype.indexOf = function (this: string, search, from = 0) {
    const at = indexOf.call(this, search, from);
    work += (at < 0 ? this.length : at) - from;
    return at;
  };
  String.prototype.charCodeAt = function (this: string, at) {
    work++;
    return charCodeAt.call(this, at);
  };
  String.prototype.lastIndexOf = function (this: string, search, from = this.length) {
    const at = lastIndexOf.call(this, search, from);
    work += from - at;
    return at;
  };
});

afterEach(() => {
  Object.assign(RegExp.prototype, { exec, test: testPattern });
  Object.assign(String.prototype, { indexOf, lastIndexOf, charCodeAt });
});

function workPerUnit(detector: Detector, unit: string, length: number): number {
  const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  work = 0;
  detector.detectSync(text);
  return work / length;
}

const detector = createDetector({ allowList: ['ada', 'example.org'], denyList: ['zeus'] });

describe('the work for each unit of a long text is that of a short one', () => {
  it.each([
    ['plain words', 'the quick brown fox jumps over the lazy dog '],
    ['one letter', 'a'],
    ['digits', '7'],
    ['digits and blanks', '4 1 1 1 '],
    ['groups of digits', '4111 1111 '],
    ['telephone numbers', '+44 20 7946 0018 '],
    ['at signs', '@'],
    ['addresses without end', 'a@'],
    ['equals and at signs', '=a@b '],
    ['dots', '.'],
    ['labels and dots', 'a.'],
    ['long labels', `${'a-'.repeat(30)}.`],
    ['colons', ':'],
    ['groups and colons', 'ab:'],
    ['schemes', 'https://'],
    ['months', 'may 1 '],
    ['capitals', 'Ada Lovelace '],
    ['names without blanks', "O'Brien-"],
    ['blanks', ' '],
    ['line breaks', '\n'],
    ['emoji', '👩‍👩‍👧'],
    ['full-width digits', '４１'],
    ['account codes', 'GB82WEST12345698765432 '],
    ['overlapping candidates', 'Main St 020 7946 0018 '],
    ['heads of tables', 'name,city,phone\n'],
    ['heads of credits that are names', 'Ada AUTHORS\n'],
  ])(
    'for %s',
    (_, unit) => {
      const short = workPerUnit(detector, unit, SHORT);
      const long = workPerUnit(detector, unit, LONG);
      expect(long).toBeLessThan(short * 1.5 + 8);
      expect(long).toBeLessThan(MOST_WORK);
    },
    120_000,
  );

  it.each(['the quick brown fox jumps over the lazy dog ', '7', '@'])(
    'for up to a megabyte of %j',
    (unit) => {
      expect(workPerUnit(detector, unit, MEGABYTE)).toBeLessThan(
        workPerUnit(detector, unit, SHORT) * 1.5 + 8,
      );
    },
    120_000,
  );
});

describe('a step reads no more of a megabyte than of a little text', () => {
  it.each(['Abcdefgh', 'a', 'ab1', ' ', 'name,city,phone\n', 'Ada AUTHORS\n'])(
    'in %j',
    (unit) => {
      const text = unit.repeat(Math.ceil(MEGABYTE / unit.length)).slice(0, MEGABYTE);
      const steps = detector.steps(text);
      let most = 0;
      for (let isDone = false; !isDone; most = Math.max(most, work)) {
        work = 0;
        isDone = steps.next().done === true;
      }
      expect(most).toBeLessThan(MOST_WORK_AT_ONCE);
    },
    120_000,
  );
});
