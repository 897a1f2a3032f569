/** One question that people answer about an answer: on a scale, or by a category. */
export interface Dimension {
  /** The `signal_name` of its feedback. */
  name: string;
  title?: string;
  /** What the question means, for those who judge. */
  help?: string;
  /** Whole numbers from `min` to `max`. Each dimension has this or `categories`. */
  scale?: Scale;
  categories?: Category[];
  /** The weight of its feedback, 0 to 1. Default: 1. */
  weight?: number;
}

export interface Scale {
  min: number;
  max: number;
  /** What the two ends mean. */
  low?: string;
  high?: string;
}

export interface Category {
  name: string;
  /** −1 to 1. A category without a score is recorded, and has no part in the score of the log. */
  score?: number;
}

/** A queue with a name: which logs come in, what is asked about them, and who judges. */
export interface NamedQueue {
  name: string;
  title?: string;
  /** The filter of a list of logs, as bodies have it. */
  filter: Record<string, unknown>;
  /** What the people who judge must know. Markdown. */
  rubric?: string;
  /** Names of dimensions. Empty: `OVERALL` alone. */
  dimensions: string[];
  /** Names of keys. Empty: everybody who may judge. */
  people: string[];
  /** How many people judge each log. */
  judges: number;
}

/** What a queue asks that names no dimension. */
export const OVERALL: Dimension = {
  name: 'judgement',
  title: 'Overall',
  scale: { min: 1, max: 5, low: 'worst', high: 'best' },
};

/** A number of a scale, or the name of a category. */
export type JudgedValue = number | string;

/** The feedback that a value stands for; undefined where it is not one of the dimension's. */
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

/** The values that a dimension has, in words. */
export function valuesInWords({ scale, categories = [] }: Dimension): string {
  if (scale !== undefined) return `a whole number from ${scale.min} to ${scale.max}`;
  return `one of ${categories.map(({ name }) => JSON.stringify(name)).join(', ')}`;
}
