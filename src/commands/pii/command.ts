/**
 * `sluice pii`: the detector alone. It reads one JSON object from each line, or with `plain` one text, and writes one
 * line for each, with offsets in code points. For a line that cannot be read it writes a message to standard error
 * and no output line; the other lines are processed all the same, and the exit code is 1.
 */

import {
  createDetector,
  type Detector,
  type DetectorPart,
  type EntityType,
  type Finding,
  PiiOptionsError,
} from '../../pii/index.js';
import { spansOf } from './code-points.js';
import { linesIn } from './lines-in.js';

export interface PiiCommand {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  error: NodeJS.WritableStream;
  scoreThreshold?: number;
  /** Parts of the detector to leave out. */
  without?: readonly DetectorPart[];
  /** Output every candidate with the reason for its score. */
  all?: boolean;
  /** Each line is a text as it stands. Its `id` is the number of the line. */
  plain?: boolean;
  /** Write times and characters per second to `error`. */
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
/**
 * `--stats` reads the first lines of the input repeatedly before it measures, so that it measures a process that has
 * run for a while. V8 compiles the whole detector only after about ten thousand messages.
 */
const WARM_UP_LINES = 1_000;
const WARM_UP_MESSAGES = 12_000;
const WARM_UP_UNITS = 8_388_608;

function isStrings(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function parseLine(json: string): Line {
  let row: unknown;
  try {
    // Windows writes a byte order mark at the beginning of a file. It does not belong to the text.
    row = JSON.parse(json.replace(/^\uFEFF/, ''));
  } catch {
    throw new Error('not JSON; use --text to read each line as plain text');
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
  /** Whether a line could not be read. */
  hasFailed = false;
  readonly #given: PiiCommand;
  readonly #detectors = new Map<string, Detector>();

  constructor(given: PiiCommand) {
    this.#given = given;
  }

  /** The detector for the options of a line. Each set of options has one, because creating a detector compiles patterns. */
  #detectorFor({ language, entities, context }: Line): Detector {
    const key = JSON.stringify([language, entities, context]);
    let detector = this.#detectors.get(key);
    if (detector === undefined) {
      const { scoreThreshold, without } = this.#given;
      detector = createDetector({ language, entities, context, scoreThreshold, without });
      if (this.#detectors.size >= MAX_DETECTORS) this.#detectors.delete(this.#detectors.keys().next().value!);
      this.#detectors.set(key, detector);
    }
    return detector;
  }

  /** Reads lines repeatedly. Lines that cannot be read are reported later, when they are answered. */
  warmUp(lines: readonly string[]): void {
    const readable = lines.flatMap((line, index) => this.#lineOf(line, index + 1) ?? []);
    let units = 0;
    for (let count = 0; count < WARM_UP_MESSAGES && units < WARM_UP_UNITS && readable.length > 0; count++) {
      const line = readable[count % readable.length]!;
      this.#detect(line);
      units += line.text.length;
    }
  }

  #detect(line: Line): Finding[] {
    const detector = this.#detectorFor(line);
    return this.#given.all ? detector.candidates(line.text) : detector.detectSync(line.text);
  }

  /**
   * The output lines for those input lines that can be read; `number` is the number of the first. All lines are parsed first,
   * then scanned, then written: this keeps the detector's code in the processor's caches while it scans.
   */
  answer(lines: readonly string[], number: number): string[] {
    const read = lines.map((json, index) => this.#read(json, number + index));
    const found = read.map((line) => line && this.#timed(line));
    return read.flatMap((line, index) => (line === undefined ? [] : [written(line, found[index]!)]));
  }

  #read(json: string, number: number): Line | undefined {
    if (json.trim() === '') return undefined;
    try {
      const line = this.#parse(json, number);
      // Creates the detector here, so that its creation does not count as time for reading a text.
      this.#detectorFor(line);
      return line;
    } catch (error) {
      this.hasFailed = true;
      this.#given.error.write(`line ${number}: ${describe(error)}\n`);
      return undefined;
    }
  }

  #parse(written: string, number: number): Line {
    return this.#given.plain ? { id: number, text: written.replace(/\r$/, '') } : parseLine(written);
  }

  /** The input line, or undefined where it cannot be read. */
  #lineOf(written: string, number: number): Line | undefined {
    try {
      return written.trim() === '' ? undefined : this.#parse(written, number);
    } catch {
      return undefined;
    }
  }

  #timed(line: Line): Finding[] {
    const started = performance.now();
    const found = this.#detect(line);
    this.statistics.add(performance.now() - started, line.text.length);
    return found;
  }
}

function written({ id, text }: Line, found: readonly Finding[]): string {
  return JSON.stringify({ id, spans: spansOf(found, text) });
}

function describe(error: unknown): string {
  if (error instanceof PiiOptionsError) return `${error.path}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

/** Writes the lines, and waits where the reader of the output is slower. It does not wait for an output that failed. */
async function write(output: NodeJS.WritableStream, lines: readonly string[]): Promise<void> {
  if (lines.length === 0 || output.write(`${lines.join('\n')}\n`)) return;
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

/** Passes the lines on after using the first of them to warm up. */
async function* warmed(batches: AsyncIterable<string[]>, answers: Answers): AsyncGenerator<string[]> {
  let first: string[] | undefined = [];
  let units = 0;
  for await (const lines of batches) {
    if (first === undefined) {
      yield lines;
      continue;
    }
    for (const json of lines) {
      first.push(json);
      units += json.length;
    }
    if (first.length < WARM_UP_LINES && units < WARM_UP_UNITS) continue;
    answers.warmUp(first);
    yield first;
    first = undefined;
  }
  if (first === undefined) return;
  answers.warmUp(first);
  yield first;
}

/** Resolves with the exit code: 0, or 1 where a line could not be read or an answer could not be written. */
export async function runPiiCommand(given: PiiCommand): Promise<number> {
  const answers = new Answers(given);
  let number = 1;
  let broken: NodeJS.ErrnoException | undefined;
  given.output.on('error', (error) => {
    broken ??= error;
  });
  const batches = linesIn(given.input as AsyncIterable<Buffer | string>);
  for await (const lines of given.stats ? warmed(batches, answers) : batches) {
    await write(given.output, answers.answer(lines, number));
    number += lines.length;
    if (broken !== undefined) break;
  }
  if (given.stats) answers.statistics.print(given.error);
  // A reader that closes the output early, such as `head`, is not an error.
  if (broken === undefined || broken.code === 'EPIPE') return answers.hasFailed ? 1 : 0;
  given.error.write(`${broken.message}\n`);
  return 1;
}
