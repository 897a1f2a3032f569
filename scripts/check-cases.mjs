import { pathToFileURL } from 'node:url';
import { readSources } from './check-imports.mjs';

/*
 * Checks that a forgotten case does not compile. A switch over a union type of ours must end with `assertNever`, so
 * that the compiler notices a case that was added to the union. A switch over a value from outside must have a
 * `default`, with a comment that says what the rest is. A cast that the compiler cannot check must have a comment
 * beside it that says why it is right.
 */
const SUBJECTS = /\.(?:type|kind|role|end|request|action|mode|status|code|keyword|field)(?: \?\? '\w+')?$/;
const CAST = /\bas (?:never|unknown as)\b/;
const COMMENT = /\/\/|\*\//;

/** The mistakes in the files, each as one line. `files` maps a path below `src/` to its text. */
export function findCaseMistakes(files) {
  return [...files].flatMap(([path, text]) => [...switchMistakes(path, text), ...castMistakes(path, text)]);
}

function switchMistakes(path, text) {
  const mistakes = [];
  for (const match of text.matchAll(/^( *)switch \((.*)\) \{$/gm)) {
    const [, indent, subject] = match;
    if (!SUBJECTS.test(subject)) continue;
    const end = text.indexOf(`\n${indent}}`, match.index);
    const body = text.slice(match.index, end);
    const rest = new RegExp(`^${indent}  default:(.*(?:\\n${indent}    .*)*)`, 'm').exec(body)?.[1];
    if (rest !== undefined && (rest.includes('assertNever(') || COMMENT.test(rest))) continue;
    const missing = rest === undefined ? 'without a default' : 'whose default gives no reason';
    mistakes.push(
      `src/${path}:${lineOf(text, match.index)}: a switch over ${subject} ${missing}: ` +
        'assertNever for a union of ours, else a comment that says what the rest is',
    );
  }
  return mistakes;
}

/** The reason stands on the line of the cast, or on one of the three before it. */
function castMistakes(path, text) {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    if (!CAST.test(line.replace(/\/\/.*|^\s*\*.*|`[^`]*`/g, ''))) return [];
    const near = lines.slice(Math.max(0, index - 3), index + 1);
    if (near.some((one) => COMMENT.test(one))) return [];
    return [`src/${path}:${index + 1}: a cast without a comment that says why it holds`];
  });
}

function lineOf(text, index) {
  return text.slice(0, index).split('\n').length;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const mistakes = findCaseMistakes(readSources());
  for (const mistake of mistakes) console.error(mistake);
  process.exit(mistakes.length === 0 ? 0 : 1);
}
