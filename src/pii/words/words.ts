/**
 * Lists of words as data: a file for what they are for, in it lists by name and language, each with `|` between its words. A
 * word may be written as a pattern. `about` says where a list comes from.
 */
import { readFileSync } from 'node:fs';

/** By language, or by script. */
export type ByLanguage = Readonly<Record<string, string>>;

export function readWords<Name extends string>(file: string): Readonly<Record<Name, ByLanguage>> {
  return JSON.parse(readFileSync(new URL(`./${file}.json`, import.meta.url), 'utf8'));
}

/** The words of all languages. */
export function anyOf(lists: ByLanguage): string {
  return Object.values(lists).join('|');
}
