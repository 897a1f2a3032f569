/** The authors that LaTeX and BibTeX name: `\author{Ada Lind \and Ben Roe}`, `author = {Roe, Ben and Lind, Ada}`. */

import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { matchesOf } from '../../patterns/matches-of.js';

const TOLD = 0.8;
const AUTHORS =
  /\\(?:author|editor|advisor|supervisor)(?:\[[^\]\n]{0,80}\])?\{(?<tex>[^{}\\]{3,200}(?:\\and[^{}\\]{3,200}){0,20})\}|(?<![\w-])(?:author|editor)\s{0,8}=\s{0,4}[{"](?<bib>[^{}"]{3,400})[}"],?\s/gi;
const SIGN =
  /[[{"](?:(?<=\\(?:author|editor|advisor|supervisor)[[{])|(?<=(?:author|editor)\s{0,8}=\s{0,4}[{"])\p{Lu})/iu;
const ONE = /(?:(?!\\and|\s+and\s+)[^\\])+/gi;
const NAME = lean(
  /\p{Lu}[\p{L}\p{M}'’.-]*(?:,? (?:(?:de|da|di|van|von|der|den|la|le|al|bin|del|dos|ter|zu) ){0,2}\p{Lu}[\p{L}\p{M}'’.-]*){1,4}/u,
);

/** In order. */
export function writtenAuthors(text: string): NameSpan[] {
  if (!SIGN.test(text)) return [];
  const found: NameSpan[] = [];
  for (const { index, 0: match, groups } of matchesOf(text, AUTHORS)) {
    const list = groups!.tex ?? groups!.bib!;
    const from = index + match.lastIndexOf(list);
    for (const { index: at, 0: one } of matchesOf(list, ONE)) {
      const name = NAME.exec(one);
      if (name === null) continue;
      const start = from + at + name.index;
      found.push({ type: 'PERSON', start, end: start + name[0].length, score: TOLD });
    }
  }
  return found;
}
