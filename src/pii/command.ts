/**
 * `sluice pii`: the detector alone. A JSON object on each line in, one on each line out, offsets in code points.
 * A line that cannot be read gets a message on standard error and no line out; the others are done all the same,
 * and the exit code is 1.
 */
import { createInterface } from 'node:readline';
import { createDetector } from './detector.js';
import { type Detector, type EntityType, type Finding, PiiOptionsError } from './types.js';

export interface PiiCommand {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  error: NodeJS.WritableStream;
  scoreThreshold?: number;
  /** Every candidate with the reason for its score. */
  all?: boolean;
  /** Times and characters per second on `error`. */
  stats?: boolean;
}

interface Line {
  id: unknown;
  text: string;
  language?: string;
  entities?: EntityType[];
  context?: string[];
}

const MAX_DETECTORS = 64;
/** What `--stats` runs before it measures: the times are those of a process that has served for a while. */
const WARM_UP_ROUNDS = 500;
const WARM_UP: readonly string[] = [
  "Hi, I'm Ada Lovelace from London, call me at +44 20 7946 0018 or write to ada@example.org before 12 May 2021.",
  'Charge 4111 1111 1111 1111, IBAN GB82 WEST 1234 5698 7654 32, order #4245427, version 3.2.1, see https://example.org/a.',
  'Der Kunde Max Mustermann, Hauptstraße 5, 10115 Berlin, wartet seit dem 03.08.2020 auf die Bestellung PO314968.',
  'Soy Carmen Ruiz, mi DNI es 12345678Z y vivo en la calle Mayor 5, 28013 Madrid, desde el 4 de mayo de 2019.',
  "Je m'appelle Camille Durand, mon numéro est le 06 12 34 56 78, voir www.example.fr/page?id=7 pour la commande #88016.",
  'Connection refused from 203.0.113.9 and 2001:db8::1 (build 10.7.65), SSN 536-22-8914, passport 512345678.',
  'Write a SQL query returning the top 1404 customers of the shop by revenue.',
  'La signora Rossi abita a Torino, codice fiscale AAAAAA00B11C333Y, telefono 011 5551234.',
];

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function parseLine(json: string): Line {
  let row: unknown;
  try {
    // What Windows writes at the beginning of a file is none of its text.
    row = JSON.parse(json.replace(/^\uFEFF/, ''));
  } catch {
    throw new Error('not JSON');
  }
  if (typeof row !== 'object' || row === null || Array.isArray(row))
    throw new Error('expected a JSON object');
  const { id, text, language, entities, context } = row as Record<string, unknown>;
  if (typeof text !== 'string') throw new Error('expected "text", a string');
  if (language !== undefined && typeof language !== 'string')
    throw new Error('expected "language", a string');
  if (entities !== undefined && !isStrings(entities))
    throw new Error('expected "entities", a list of strings');
  if (context !== undefined && !isStrings(context)) throw new Error('expected "context", a list of strings');
  return { id, text, language, entities: entities as EntityType[] | undefined, context };
}

/** UTF-16 offset → code points before it; undefined for text without surrogates, where they are the same. */
function pointsOf(text: string): Int32Array | undefined {
  if (!/[\ud800-\udfff]/.test(text)) return undefined;
  const points = new Int32Array(text.length + 1);
  let count = 0;
  for (let at = 0; at < text.length; count++) {
    const width = text.codePointAt(at)! > 0xffff ? 2 : 1;
    points.fill(count, at, at + width);
    at += width;
  }
  points[text.length] = count;
  return points;
}

function toSpan(finding: Finding, points: Int32Array | undefined) {
  const { entityType, start, end, score, explanation } = finding;
  return {
    start: points === undefined ? start : points[start]!,
    end: points === undefined ? end : points[end]!,
    entity_type: entityType,
    score,
    ...(explanation !== undefined && { explanation }),
  };
}

class Statistics {
  readonly #times: number[] = [];
  #units = 0;

  add(milliseconds: number, units: number): void {
    this.#times.push(milliseconds);
    this.#units += units;
  }

  print(output: NodeJS.WritableStream): void {
    if (this.#times.length === 0) return;
    const sorted = [...this.#times].sort((a, b) => a - b);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
    const seconds = sorted.reduce((sum, time) => sum + time, 0) / 1000;
    const rate = Math.round(this.#units / seconds);
    output.write(
      `messages ${sorted.length}, median ${at(0.5).toFixed(3)} ms, p99 ${at(0.99).toFixed(3)} ms, ${rate} characters per second\n`,
    );
  }
}

class Answers {
  readonly statistics = new Statistics();
  readonly #given: PiiCommand;
  readonly #detectors = new Map<string, Detector>();

  constructor(given: PiiCommand) {
    this.#given = given;
  }

  /** One for each set of options, as making one compiles things. */
  #detectorFor({ language, entities, context }: Line): Detector {
    const key = JSON.stringify([language, entities, context]);
    let detector = this.#detectors.get(key);
    if (detector === undefined) {
      detector = createDetector({ language, entities, context, scoreThreshold: this.#given.scoreThreshold });
      if (this.#detectors.size >= MAX_DETECTORS) this.#detectors.delete(this.#detectors.keys().next().value!);
      this.#detectors.set(key, detector);
    }
    return detector;
  }

  warmUp(): void {
    const detector = createDetector();
    for (let round = 0; round < WARM_UP_ROUNDS; round++)
      for (const text of WARM_UP) detector.detectSync(text);
  }

  answer(json: string): string {
    const line = parseLine(json);
    const detector = this.#detectorFor(line);
    const detect = () => (this.#given.all ? detector.candidates(line.text) : detector.detectSync(line.text));
    // What is measured is a warm detector: a text is read once before its time is taken.
    if (this.#given.stats) detect();
    const started = performance.now();
    const found = detect();
    this.statistics.add(performance.now() - started, line.text.length);
    const points = found.length > 0 ? pointsOf(line.text) : undefined;
    return JSON.stringify({ id: line.id, spans: found.map((finding) => toSpan(finding, points)) });
  }
}

function describe(error: unknown): string {
  if (error instanceof PiiOptionsError) return `${error.path}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/** Writes, and waits when the reader of the output is slower. An output that fails is waited for no more. */
async function write(output: NodeJS.WritableStream, line: string): Promise<void> {
  if (output.write(`${line}\n`)) return;
  await new Promise<void>((resolve) => {
    const goOn = () => {
      output.off('drain', goOn);
      output.off('error', goOn);
      resolve();
    };
    output.on('drain', goOn);
    output.on('error', goOn);
  });
}

/** Gives the exit code: 0, or 1 when a line could not be read, or answers not be written. */
export async function runPiiCommand(given: PiiCommand): Promise<number> {
  const answers = new Answers(given);
  if (given.stats) answers.warmUp();
  let number = 0;
  let code = 0;
  let broken: NodeJS.ErrnoException | undefined;
  given.output.on('error', (error) => {
    broken ??= error;
  });
  for await (const json of createInterface({ input: given.input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number++;
    if (json.trim() === '') continue;
    let answer: string;
    try {
      answer = answers.answer(json);
    } catch (error) {
      given.error.write(`line ${number}: ${describe(error)}\n`);
      code = 1;
      continue;
    }
    await write(given.output, answer);
    if (broken !== undefined) break;
  }
  // A reader that has seen enough, such as `head`, is no failure.
  if (broken !== undefined && broken.code !== 'EPIPE') {
    given.error.write(`${broken.message}\n`);
    code = 1;
  }
  if (given.stats) answers.statistics.print(given.error);
  return code;
}
