/**
 * `sluice pii eval`: measures how well the detector works on your own texts. `sampleTexts` draws some of many texts and marks
 * in them what the detector finds, so that you can correct the marks. `scoreTexts` compares findings with corrected marks.
 */

import { createDetector, type Detector, type EntityType, type ScoreThreshold } from '../../pii/index.js';
import { type Span, spansOf } from './code-points.js';
import { linesIn } from './lines-in.js';

/** A place that a person marked in a text, or a finding, which also has a score. `value` is its text, for people to correct. */
export type Mark = Omit<Span, 'score'> & { score?: number; value?: string };

interface Row {
  text: string;
  language?: string;
  spans?: Mark[];
}

export interface Evaluation {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  scoreThreshold?: ScoreThreshold;
  entities?: readonly EntityType[];
}

/**
 * A finding is right where its overlap with a mark of the same type is at least half of the characters that the two
 * cover together.
 */
const OVERLAP = 0.5;
/** Findings in text with a mark of this type count neither as right nor as wrong. */
const NEITHER = '_IGNORE';
const TENTHS = 10;

class Rows {
  readonly #detectors = new Map<string, Detector>();
  readonly #given: Evaluation;

  constructor(given: Evaluation) {
    this.#given = given;
  }

  /** The parsed lines, without blank ones. Throws an `Error` that names the line where one is not valid. */
  async *read(): AsyncGenerator<Row> {
    let number = 0;
    for await (const lines of linesIn(this.#given.input as AsyncIterable<Buffer | string>)) {
      for (const line of lines) {
        number++;
        if (line.trim() !== '') yield rowOf(line, number);
      }
    }
  }

  found({ text, language }: Row): Mark[] {
    const { scoreThreshold, entities } = this.#given;
    let detector = this.#detectors.get(language ?? '');
    if (detector === undefined) {
      detector = createDetector({ language, scoreThreshold, entities });
      this.#detectors.set(language ?? '', detector);
    }
    return spansOf(detector.detectSync(text), text);
  }
}

/**
 * A mark with the offsets of its value. If the text at the given offsets is another one, the value is searched. Of several
 * marks with the same value, each gets the next place of that value.
 */
function placed(
  given: Partial<Mark> | null,
  points: readonly string[],
  next: Map<string, number>,
): Mark | undefined {
  const { start = -1, end = -1, entity_type, value } = given ?? {};
  if (typeof entity_type !== 'string') return undefined;
  const hasPlace = Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start < end;
  if (hasPlace && (value === undefined || points.slice(start, end).join('') === value))
    return { start, end, entity_type };
  if (typeof value !== 'string' || value === '') return undefined;
  const text = points.join('');
  const at = text.indexOf(value, next.get(value));
  if (at < 0) return undefined;
  next.set(value, at + value.length);
  const from = [...text.slice(0, at)].length;
  return { start: from, end: from + [...value].length, entity_type };
}

function rowOf(json: string, number: number): Row {
  let row: Partial<Row>;
  try {
    row = JSON.parse(json) as Partial<Row>;
  } catch {
    throw new Error(`line ${number}: not valid JSON`);
  }
  if (typeof row?.text !== 'string') throw new Error(`line ${number}: expected "text", a string`);
  if (row.spans === undefined) return row as Row;
  const points = [...row.text];
  const next = new Map<string, number>();
  const spans = Array.isArray(row.spans) ? row.spans.map((mark) => placed(mark, points, next)) : [undefined];
  if (spans.includes(undefined))
    throw new Error(
      `line ${number}: expected "spans", a list of { entity_type, value }, whose value stands in the text, or of { entity_type, start, end }`,
    );
  return { ...row, spans } as Row;
}

/** Draws `count` of the texts with `random` and writes each with its findings as `spans`. */
export async function sampleTexts(given: Evaluation, count: number, random: () => number): Promise<void> {
  const rows = new Rows(given);
  const drawn: Row[] = [];
  let seen = 0;
  for await (const row of rows.read()) {
    seen++;
    if (drawn.length < count) drawn.push(row);
    else {
      const place = Math.floor(random() * seen);
      if (place < count) drawn[place] = row;
    }
  }
  for (const row of drawn) {
    const points = [...row.text];
    const spans = rows
      .found(row)
      .map((one) => ({ ...one, value: points.slice(one.start, one.end).join('') }));
    given.output.write(`${JSON.stringify({ ...row, spans })}\n`);
  }
}

interface Counts {
  right: number;
  wrong: number;
  missed: number;
  /** Findings, and right findings among them, by tenths of the score. */
  found: number[];
  correct: number[];
}

function common(one: Mark, other: Mark): number {
  return Math.max(0, Math.min(one.end, other.end) - Math.max(one.start, other.start));
}

function overlap(one: Mark, other: Mark): number {
  const shared = common(one, other);
  return shared / (one.end - one.start + other.end - other.start - shared);
}

/** Compares findings with the marks of each text and writes a table by type. Returns the number of texts. */
export async function scoreTexts(given: Evaluation): Promise<number> {
  const rows = new Rows(given);
  const counts = new Map<string, Counts>();
  let texts = 0;
  for await (const row of rows.read()) {
    texts++;
    addText(row.spans ?? [], rows.found(row), counts);
  }
  writeTable(given.output, texts, counts);
  return texts;
}

function addText(marks: readonly Mark[], found: readonly Mark[], counts: Map<string, Counts>): void {
  const of = (type: string) => {
    let one = counts.get(type);
    if (one === undefined) {
      const zeros = () => new Array<number>(TENTHS).fill(0);
      one = { right: 0, wrong: 0, missed: 0, found: zeros(), correct: zeros() };
      counts.set(type, one);
    }
    return one;
  };
  const neither = marks.filter((mark) => mark.entity_type === NEITHER);
  const counted = found.filter((one) => neither.every((mark) => 2 * common(one, mark) < one.end - one.start));
  const open = new Set(marks.filter((mark) => mark.entity_type !== NEITHER));
  for (const one of counted) {
    const mark = [...open].find(
      (other) => other.entity_type === one.entity_type && overlap(one, other) >= OVERLAP,
    );
    const type = of(one.entity_type);
    const tenth = Math.min(TENTHS - 1, Math.floor((one.score ?? 1) * TENTHS));
    type.found[tenth]!++;
    if (mark === undefined) type.wrong++;
    else {
      open.delete(mark);
      type.right++;
      type.correct[tenth]!++;
    }
  }
  for (const mark of open) of(mark.entity_type).missed++;
}

function writeTable(output: NodeJS.WritableStream, texts: number, counts: ReadonlyMap<string, Counts>): void {
  const share = (part: number, whole: number) => (whole === 0 ? '-' : (part / whole).toFixed(3)).padStart(7);
  const lines = [`${texts} texts`, `${'type'.padEnd(26)} marked  found   prec. recall     F1`];
  const byType = [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [type, { right, wrong, missed }] of byType) {
    const numbers = [right + missed, right + wrong].map((one) => String(one).padStart(7)).join('');
    const shares = [share(right, right + wrong), share(right, right + missed)].join('');
    lines.push(`${type.padEnd(26)}${numbers} ${shares}${share(2 * right, 2 * right + wrong + missed)}`);
  }
  lines.push(
    'right/all findings by their score (set the threshold above the scores where too few are right)',
  );
  for (const [type, { found, correct }] of byType) {
    const bins = found.flatMap((count, tenth) =>
      count === 0 ? [] : [`${(tenth / TENTHS).toFixed(1)}: ${correct[tenth]}/${count}`],
    );
    if (bins.length > 0) lines.push(`${type.padEnd(26)} ${bins.join('  ')}`);
  }
  output.write(`${lines.join('\n')}\n`);
}
