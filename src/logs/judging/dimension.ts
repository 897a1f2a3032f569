/** One question that people answer about an answer: on a scale, or by a category. */
export interface Dimension {
  /** The `signal_name` of the feedback that it creates. */
  name: string;
  title?: string;
  /** An explanation of the question for those who judge. */
  help?: string;
  /** Whole numbers from `min` to `max`. Each dimension has this or `categories`. */
  scale?: Scale;
  categories?: Category[];
  /** The weight of the feedback that it creates, from 0 to 1. Default: 1. */
  weight?: number;
}

export interface Scale {
  min: number;
  max: number;
  /** The meaning of the two ends. */
  low?: string;
  high?: string;
}

export interface Category {
  name: string;
  /** The score from −1 to 1. A category without a score is recorded, but does not count in the score of the log. */
  score?: number;
}

/** What people do in a queue: judge answers, or mark personal data in the texts. */
export const TASKS = ['judge', 'mark_pii'] as const;

/** A named queue: which logs it has, what is asked about them, and who judges. */
export interface NamedQueue {
  name: string;
  title?: string;
  /** Default: `judge`. */
  task?: (typeof TASKS)[number];
  /** The share of these logs that the queue has, above 0 and up to 1, drawn by their ids. Default: 1. */
  sample?: number;
  /** The filter of the logs, in the form of request bodies. */
  filter: Record<string, unknown>;
  /** What the people who judge must know, in Markdown. */
  rubric?: string;
  /** The names of dimensions. Empty means only `OVERALL`. */
  dimensions: string[];
  /** The names of the keys of those who may judge. Empty means everybody whose key allows it. */
  people: string[];
  /** How many people must judge each log. */
  judges: number;
}

/** The dimension of a queue that names none. */
export const OVERALL: Dimension = {
  name: 'judgement',
  title: 'Overall',
  scale: { min: 1, max: 5, low: 'worst', high: 'best' },
};

/** The value that a person chose: a number of a scale, or the name of a category. */
export type JudgedValue = number | string;

/** The feedback that a value stands for. Undefined where the dimension does not have this value. */
export function signalOf(
  { scale, categories, weight = 1 }: Dimension,
  value: JudgedValue,
): { score: number; weight: number } | undefined {
  if (scale !== undefined) {
    const { min, max } = scale;
    if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max) return undefined;
    return { score: (2 * (value - min)) / (max - min) - 1, weight };
  }
  const category = categories?.find(({ name }) => name === value);
  if (category === undefined) return undefined;
  return category.score === undefined ? { score: 0, weight: 0 } : { score: category.score, weight };
}

/** A description of the values that a dimension has. */
export function valuesInWords({ scale, categories = [] }: Dimension): string {
  if (scale !== undefined) return `a whole number from ${scale.min} to ${scale.max}`;
  return `one of ${categories.map(({ name }) => JSON.stringify(name)).join(', ')}`;
}
