import { keyOfToken } from '../core/json.js';
import { counted } from '../core/texts/counted.js';

/** A path from the top of the file: keys, and positions in lists. */
export type Path = readonly (string | number)[];

/** A mistake of a value, before its position in the text is known. */
export interface Problem {
  path: Path;
  /** What was expected, and what was found. */
  message: string;
  /** Whether the key itself is wrong, and not its value. */
  atKey?: boolean;
}

/** A mistake in the file and its position. Lines and columns start at 1. */
export interface Mistake {
  file: string;
  line: number;
  column: number;
  /** The path of the value, such as `projects[0].endpoints[1].name`; empty for the file as a whole. */
  path: string;
  message: string;
}

const PLAIN_KEY = /^[A-Za-z_][\w-]*$/;

export function formatPath(path: Path): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`;
    if (!PLAIN_KEY.test(step)) return `${text}[${JSON.stringify(step)}]`;
    return text === '' ? step : `${text}.${step}`;
  }, '');
}

/** The steps of a JSON pointer into `value`. Positions in lists become numbers. */
export function pathOfPointer(pointer: string, value: unknown): (string | number)[] {
  if (pointer === '') return [];
  let current = value;
  return pointer
    .replace(/^\//, '')
    .split('/')
    .map((part) => {
      const step = keyOfToken(part);
      const isPosition = Array.isArray(current);
      current = (current as Record<string, unknown> | null | undefined)?.[step];
      return isPosition ? Number(step) : step;
    });
}

function compareMistakes(a: Mistake, b: Mistake): number {
  return a.line - b.line || a.column - b.column || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

/** The mistakes in the order of the file, without duplicates. */
export function sortMistakes(mistakes: readonly Mistake[]): Mistake[] {
  const byText = new Map(mistakes.map((mistake) => [renderMistake(mistake), mistake]));
  return [...byText.values()].sort(compareMistakes);
}

export function renderMistake({ file, line, column, path, message }: Mistake): string {
  const place = path === '' ? '' : `${path}: `;
  return `${file}:${line}:${column} ${place}${message}`;
}

/** The list that `sluice check` prints, one line for each mistake and a count at the end. */
export function renderMistakes(mistakes: readonly Mistake[]): string {
  const count = counted(mistakes.length, 'mistake');
  return [...mistakes.map(renderMistake), count].join('\n');
}
