import type { Format } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Budget } from '../pattern/budget.js';

type TextCheck = (text: string) => boolean;
type NumberCheck = { type: 'number'; validate: (value: number) => boolean };

/** All formats that are checked, by name. The object has no prototype, because `toString` is not a format. */
export type Formats = Record<string, TextCheck | NumberCheck | true>;

/** How long the slowest expression takes for each pair of characters, in microseconds. */
const QUADRATIC_US = 0.001;

/**
 * The formats of ajv-formats, with a budget. Some of their expressions take quadratic time, so the counted time grows with
 * the square of the text's length.
 */
export function createFormats(budget: Budget): Formats {
  const formats: Formats = Object.create(null);
  for (const [name, format] of Object.entries(fullFormats)) formats[name] = counted(format, budget);
  return formats;
}

function counted(format: Format, budget: Budget): Formats[string] {
  if (format === true) return true;
  if (isNumberFormat(format)) return { type: 'number', validate: format.validate };
  const check = textCheck(format);
  return (text) => budget.run(QUADRATIC_US * text.length * text.length, () => check(text));
}

function isNumberFormat(format: Format): format is NumberCheck {
  return typeof format === 'object' && 'type' in format && format.type === 'number';
}

function textCheck(format: Format): TextCheck {
  if (format instanceof RegExp) return (text) => format.test(text);
  return (typeof format === 'object' ? (format as { validate: TextCheck }).validate : format) as TextCheck;
}
