import { type Answer, call } from '../api/client.ts';
import { type Loaded, useLoad } from '../app/load.ts';

export type Judging = Answer<'GET /{project_uid}/judging'>;
export type Dimension = Judging['dimensions'][number];
export type NamedQueue = Judging['queues'][number];
export type Value = number | string;
export type Values = Record<string, Value>;

/** The question of a queue that names no dimension. The server has the same default. */
const OVERALL: Dimension = {
  name: 'judgement',
  title: 'Overall',
  scale: { min: 1, max: 5, low: 'worst', high: 'best' },
};

export function useJudging(projectUid: string): Loaded<Judging> {
  return useLoad(`judging ${projectUid}`, (signal) =>
    call('GET /{project_uid}/judging', { params: { project_uid: projectUid }, signal }),
  );
}

export const titleOf = ({ name, title }: { name: string; title?: string }): string => title ?? name;

/** The dimensions of a queue, in the queue's order. */
export function dimensionsOf({ dimensions }: Judging, queue: NamedQueue): Dimension[] {
  const asked = (queue.dimensions ?? []).flatMap((name) => dimensions.find((one) => one.name === name) ?? []);
  return asked.length === 0 ? [OVERALL] : asked;
}

/** The values of a dimension in the order in which they are shown. */
export function valuesOf({ scale, categories = [] }: Dimension): Value[] {
  if (scale === undefined) return categories.map(({ name }) => name);
  return Array.from({ length: scale.max - scale.min + 1 }, (_, index) => scale.min + index);
}

/** The first dimension without a value. The number keys set it. */
export function nextDimension(dimensions: readonly Dimension[], values: Values): Dimension | undefined {
  return dimensions.find(({ name }) => values[name] === undefined);
}

/** Reads categories in the form that people write: one on each line, with its score after `=`. */
export function readCategories(text: string): NonNullable<Dimension['categories']> | string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const read = lines.map((line) => {
    const [name = '', score] = line.split('=').map((part) => part.trim());
    return score === undefined ? { name } : { name, score: Number(score) };
  });
  if (read.length < 2) return 'Write at least two categories, one per line.';
  const wrong = read.find((one) => 'score' in one && !(Math.abs(one.score as number) <= 1));
  if (wrong !== undefined) return `The score of “${wrong.name}” must be a number from −1 to 1.`;
  return read;
}

export function writeCategories(categories: Dimension['categories'] = []): string {
  return categories.map(({ name, score }) => (score === undefined ? name : `${name} = ${score}`)).join('\n');
}
