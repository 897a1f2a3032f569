/** What programs and their commands name: buttons, libraries, fonts, languages, hosts. They are called like people and towns. */

import { CLASS_LETTER, CLASS_UPPER, charClass } from '../../model/characters.js';
import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import {
  firstWords,
  isSmallAt,
  listsBefore,
  listsBehind,
  wordsBefore,
  wordsBehind,
  wordsOf,
} from '../words-beside.js';

const ONE_WORD = lean(/^\p{L}+$/u);
/** What a screen or a program has, behind its name: `the Grant button`, `the Jackson parser`. */
const PARTS = new Set(
  (
    'button tab menu icon checkbox dialog dropdown drop-down toggle toolbar widget popup pop-up modal slider keyword parser serializer serialiser logger compiler ' +
    'framework module plugin plug-in sdk api orm cli toolkit theme template layout middleware runtime linter bundler schema endpoint microservice dataset daemon typeface font release build app codename'
  )
    .split(' ')
    .flatMap((word) => [word, `${word}s`])
    .concat('library', 'libraries', 'bindings', 'checkboxes'),
);
/** The same before the name, in nine languages. */
const PARTS_BEFORE = new Set(
  'codename codenamed project sprint squad macos ubuntu android debian button buttons tab menu icon checkbox keyword parser framework plugin plug-in click schaltfläche knopf reiter bouton onglet botón pestaña pulsante bottone scheda botão separador knop tabblad przycisk zakładka zakładkę zakładki'.split(
    ' ',
  ),
);
/** Libraries of books have names of towns. */
const LIBRARIES = new Set(
  'library module bibliothek bibliothèque librería biblioteca libreria bibliotheek biblioteka bibliotekę biblioteki'.split(
    ' ',
  ),
);
const HAS_PART = wordsBehind.bit();
wordsBehind.addNames(PARTS, HAS_PART);
const HAS_PART_BEFORE = wordsBefore.bit();
// Of `plug-in`, the part behind the hyphen is the word before the name.
wordsBefore.addNames(
  [...PARTS_BEFORE, ...LIBRARIES].map((word) => word.slice(word.lastIndexOf('-') + 1)),
  HAS_PART_BEFORE,
);
/** Languages of programs in the forms that a sentence gives them: `w Pythonie`. The islands are written otherwise. */
const LANGUAGE =
  /^(?:(?:Python|Kotlin|Rust|Perl|Pascal|Swift|Fortran|Haskell|Erlang|Clojure|Django|JavaScript|Javascript|TypeScript|Linux|Docker|Excel|GitHub)(?:a|ie|em|u|owi|s|ze|cie)|Javie|Javy|Javę|Javą|Pythonie|Ruście|Skali|Gicie|Bashu|Bashem)(?: \p{Ll}+)?$/u;
const HAS_LANGUAGE = firstWords.add(wordsOf(LANGUAGE));
/** `NullPointerException`. */
const FAILURE = /^(?:\p{Lu}\p{Ll}+){2,}(?<=Exception|Error|Warning|Fault)$/u;
/** The line of a style sheet, or of a figure, that names its fonts. */
const FONT = lean(
  /(?<![\p{L}\p{N}])(?:font(?:-?family|-?face|_family|name|_name)?|typeface)["']?\s?[:=][^;{}\n]*$/iu,
);
/** A command of a shell on the same line. */
const COMMAND =
  /(?:^|[\n;|&`'"$#>(] ?|sudo )(?:kubectl|docker(?:-compose)?|podman|helm|git|ssh|scp|rsync|curl|wget|aws|gcloud|npm|npx|pnpm|terraform|ansible(?:-playbook)?|systemctl|journalctl|pip3?|tmux|vagrant|heroku|psql|mysql|redis-cli|nmap|nslookup) [^\n]*$/u;
/** In a sentence that begins with such a word. */
const IN_A_PLACE = lean(/(?<!\p{L})(?:in|from|near|to|at|nach|aus|à|a|en|em|w|do|te) $/u);
/** In an option or a path: `-n lima`, `deploy/cairo`. */
const GLUED = /(?: -{1,2}[\w-]{1,20}[ =]|[\w.-][/=:])$/;
const LINE_UNITS = 120;

/** Whether the words beside it say that a span is a part of a program, of a screen or of a command. */
export function isOfProgram(text: string, { type, start, end }: NameSpan, found: string): boolean {
  if ((firstWords.at(text, start) & HAS_LANGUAGE) !== 0 && LANGUAGE.test(found)) return true;
  if ((found.endsWith('n') || found.endsWith('r')) && FAILURE.test(found)) return true;
  if (text.startsWith('BEGIN:', start - 6) || text.startsWith('END:', start - 4)) return true;
  const line = text.slice(Math.max(0, start - LINE_UNITS), start);
  if ((line.includes('ont') || line.includes('typeface')) && FONT.test(line)) return true;
  const isSmall = isSmallAt(text, start);
  const isBehindPart = (listsBefore(text, start) & HAS_PART_BEFORE) !== 0;
  const isBeforePart = (listsBehind(text, end) & HAS_PART) !== 0 && text[end] === ' ';
  if ((!isSmall && !isBehindPart && !isBeforePart) || found.includes(' ') || !ONE_WORD.test(found))
    return false;
  if (isSmall && COMMAND.test(line))
    return GLUED.test(line) || (type === 'LOCATION' && !IN_A_PLACE.test(line));
  if (isBehindPart) {
    const before = wordBefore(text, start);
    if (PARTS_BEFORE.has(before) || (type === 'PERSON' && LIBRARIES.has(before))) return true;
  }
  return isBeforePart && PARTS.has(wordAt(text, end + 1));
}

const LONGEST_WORD = 16;
const QUOTES = new Set('"\'«“„');

/** The word that begins at `start`, in small letters. */
function wordAt(text: string, start: number): string {
  let end = start;
  while (end - start < LONGEST_WORD && isPartOfWord(text, end)) end++;
  return text.slice(start, end).toLowerCase();
}

/** The word before a blank, and perhaps a quote, that stand before `start`. */
function wordBefore(text: string, start: number): string {
  let end = start;
  if (QUOTES.has(text[end - 1]!)) end--;
  if (text[end - 1] !== ' ') return '';
  end--;
  let at = end;
  while (end - at < LONGEST_WORD && isPartOfWord(text, at - 1)) at--;
  return text.slice(at, end).toLowerCase();
}

function isPartOfWord(text: string, at: number): boolean {
  const kind = at < 0 || at >= text.length ? undefined : charClass[text.charCodeAt(at)];
  return kind === CLASS_LETTER || kind === CLASS_UPPER || text[at] === '-';
}
