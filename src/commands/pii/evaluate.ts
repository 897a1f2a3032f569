/**
 * `sluice pii eval`: measures how well the detector works on your own texts. `sampleTexts` draws some of many texts and marks
 * in them what the detector finds, so that you can correct the marks. `scoreTexts` compares findings with corrected marks.
 */

import { counted } from '../../core/texts/counted.js';
import { UNSURE } from '../../logs/export/pii-marks.js';
import { createDetector, type Detector, type EntityType } from '../../pii/index.js';
import { type Span, spansOf } from './code-points.js';
import { linesIn } from './lines-in.js';
import {
  bestThresholds,
  FEWEST_MARKS,
  f1Of,
  marked,
  precisionOf,
  recallOf,
  type Score,
  Scores,
} from './scores.js';

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
  entities?: readonly (EntityType | 'all')[];
  /** The language of the texts that do not name theirs. Default: guessed from each. */
  language?: string;
}

/** The thresholds that are compared. */
const THRESHOLDS = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
/** The detector's own threshold. */
const USUAL = 0.5;

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

  found({ text, language = this.#given.language }: Row, scoreThreshold = USUAL): Mark[] {
    const key = `${scoreThreshold} ${language}`;
    let detector = this.#detectors.get(key);
    if (detector === undefined) {
      detector = createDetector({ language, scoreThreshold, entities: this.#given.entities });
      this.#detectors.set(key, detector);
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

/**
 * Compares findings with the marks of each text, and writes tables: the scores by type, and what other thresholds would give.
 * Returns the number of texts.
 */
export async function scoreTexts(given: Evaluation): Promise<number> {
  const rows = new Rows(given);
  const { entities = ['all'] } = given;
  const isAsked = (type: string) => entities.some((one) => one === type || one === 'all');
  const byThreshold = new Map(THRESHOLDS.map((threshold) => [threshold, new Scores()]));
  let texts = 0;
  for await (const row of rows.read()) {
    texts++;
    const marks = (row.spans ?? []).filter(({ entity_type: type }) => type === UNSURE || isAsked(type));
    for (const [threshold, scores] of byThreshold) scores.add(marks, rows.found(row, threshold));
  }
  given.output.write(
    `${[...table(texts, byThreshold.get(USUAL)!), ...comparison(byThreshold)].join('\n')}\n`,
  );
  return texts;
}

const NAME_WIDTH = 26;
const NUMBER_WIDTH = 7;

const inColumn = (text: string | number) => String(text).padStart(NUMBER_WIDTH);
const decimals = (value: number | null) => inColumn(value === null ? '-' : value.toFixed(3));

/** The scores of each type at the usual threshold. */
function table(texts: number, scores: Scores): string[] {
  const row = (name: string, score: Score) => {
    const counts = [marked(score), score.right + score.wrong].map(inColumn).join('');
    const shares = [precisionOf(score), recallOf(score), f1Of(score)].map(decimals).join('');
    return `${name.padEnd(NAME_WIDTH)}${counts}${shares}`;
  };
  const head = ['marked', 'found', 'prec.', 'recall', 'F1'].map(inColumn).join('');
  return [
    `${counted(texts, 'text')}, score_threshold ${USUAL}`,
    `${'type'.padEnd(NAME_WIDTH)}${head}`,
    ...scores.types.map((type) => row(type, scores.of(type))),
    row('all types', scores.all),
  ];
}

/** What each type's scores would be with other thresholds, and which ones to choose. */
function comparison(byThreshold: ReadonlyMap<number, Scores>): string[] {
  const now = byThreshold.get(USUAL)!;
  const types = [...new Set([...byThreshold.values()].flatMap((scores) => scores.types))].sort();
  const measures = [
    ['prec.', precisionOf],
    ['recall', recallOf],
    ['F1', f1Of],
  ] as const;
  const rows = types.flatMap((type) =>
    measures.map(([name, measure], index) => {
      const values = [...byThreshold.values()].map((scores) => decimals(measure(scores.of(type))));
      return `${(index === 0 ? type : '').padEnd(NAME_WIDTH)}${inColumn(name)}${values.join('')}`;
    }),
  );
  const few = types.filter((type) => marked(now.of(type)) < FEWEST_MARKS);
  const best = [...bestThresholds(byThreshold, USUAL)].map(([type, threshold]) => `${type}: ${threshold}`);
  return [
    '',
    `${'score_threshold'.padEnd(NAME_WIDTH + NUMBER_WIDTH)}${THRESHOLDS.map(inColumn).join('')}`,
    ...rows,
    '',
    best.length === 0
      ? `No other threshold gives a clearly better F1 than ${USUAL}.`
      : `The best F1: score_threshold: { ${best.join(', ')}, default: ${USUAL} }`,
    ...(few.length === 0
      ? []
      : [`With fewer than ${FEWEST_MARKS} marks nothing is proposed: ${few.join(', ')}`]),
  ];
}
