/**
 * Word lists as data. Each file has the lists for one purpose, by name and language, with `|` between the words. A
 * word may be written as a pattern. `about` says where a list comes from.
 */
import { readFileSync } from 'node:fs';

/** Lists by language or by script. */
export type ByLanguage = Readonly<Record<string, string>>;

export function readData<Data>(file: string): Data {
  return JSON.parse(readFileSync(new URL(`./${file}.json`, import.meta.url), 'utf8')) as Data;
}

export function readWords<Name extends string>(file: string): Readonly<Record<Name, ByLanguage>> {
  return readData(file);
}

/** The words of all languages, with `|` between them. */
export function anyOf(lists: ByLanguage): string {
  return Object.values(lists).join('|');
}

const NEAR = readWords<'near'>('near').near;

/** The words that make a value of this type more likely when they stand near it. */
export function wordsNear(type: string): readonly string[] {
  return NEAR[type]!.split('|');
}

/** Ranges of UTF-16 units in hexadecimal digits, the end exclusive: `41-5b|61-7b`. */
export function rangesOf(written: string): readonly (readonly [from: number, to: number])[] {
  return written.split('|').map((range) => {
    const [from, to] = range.split('-').map((figures) => Number.parseInt(figures, 16));
    return [from!, to!];
  });
}
