/**
 * Scores a candidate by the words around it. A word that names its type adds 0.35, and raises it to 0.4 at least.
 * Where several types claim the same characters, the nearest word decides. A word for another kind of number
 * ("order", "ticket", "version") lowers the score of a candidate that has no word of its own.
 */
import { Beginnings, type ContextWords } from './context-words.js';
import { lean } from './patterns/lean.js';
import type { Candidate } from './recognizer.js';
import { anyOf, readWords } from './words/words.js';

const BOOST = 0.35;
const FLOOR = 0.4;
/** The score of a candidate whose surrounding words name something else. It is below the default threshold of 0.5. */
export const DOUBTFUL = 0.4;
const UNITS_BEFORE = 64;
const UNITS_AFTER = 24;
/**
 * A word for the type that is at most this far away, in UTF-16 units, counts even where another kind of number is
 * named in between.
 */
const OWN_WORD_UNITS = 12;
/** The most UTF-16 units between a word and a number that is attached to it, as in `ssn_078051121`. */
const GLUE_UNITS = 1;

/** Nouns for numbers that do not identify a person, or that no recognizer looks for. */
const OTHER_NOUNS = anyOf(readWords<'nouns'>('other-numbers').nouns);
/** Compound nouns such as `Kundennr.` and `klantnummer`. They name any kind of number except telephone numbers. */
const COMPOUNDS =
  '\\p{L}{3,16}(?<!ruf|telefon|telefoon|handy|mobil|mobiel|fax|wahl|service|hotline|büro|privat|festnetz|whatsapp|haus|notfall|gsm|spoed|bel|servicedesk|konto|rekening|sozialversicherungs|versicherungs|steuer|ausweis|pass|burgerservice)(?:nr|nummer)';
const OTHER_NUMBER = lean(
  `(?:(?<![\\p{L}\\p{N}])(?:${OTHER_NOUNS})(?:[ -]?(?:number|no|nr|id|num|número|nummer|numéro|numero|n\\.?[°º]|n))?` +
    '\\.? ?[:=#]{0,2} ?(?:(?:is|was|are|es|ist|est|è) )?|(?:^|[\\s(\\[])#)$',
  'iu',
);
const COMPOUND_NUMBER = lean(`(?<![\\p{L}\\p{N}])(?:${COMPOUNDS})\\.? ?[:=#]{0,2} ?(?:ist |is )?$`, 'iu');
/**
 * What people call or write about. The number after it is not a telephone number: `call ref 88-20417`, `text case no.
 * 20-448812`.
 */
const CALLED_ABOUT = lean(
  `(?<![\\p{L}\\p{N}])(?:contact id|meeting id|(?:in|access|pass) ?code|pin|claim|contract|policy|contrat|contrato|contratto|póliza|polizza|apólice|umow[aęy]|ref|reference|order|invoice|ticket|case|parcel|shipment|booking|incident|issue|pedido|factura|fatura|incidencia|incidente|referencia|referência|bestellung|rechnung|auftrag|vorgang|sendung|vertrag|ticketnummer|aktenzeichen|commande|facture|colis|dossier|référence|ordine|fattura|spedizione|pratica|riferimento|bestelling|factuur|zaak|zamówieni[ae]|zgłoszeni[ae]|faktur[ayę]|spraw[aęy])(?:[ -]?(?:number|no|nr|id|num|número|nummer|numéro|numero|n\\.?[°º]|n))?\\.? ?[:=#]{0,2} ?$`,
  'iu',
);
/** The name of a speaker at the beginning of a line of a chat. */
const SPEAKER = /(?:^|\n)(?:user|customer|client|member|cliente)(?: \d{1,2})?: ?$/;
const LABELLED = lean(/[\p{L}\p{N}#=:]/u);

function roundScore(score: number): number {
  return Math.round(score * 100) / 100;
}

/** Whether a semicolon, comma, full stop or line feed ends the clause after a candidate. */
function isClauseEnd(unit: number): boolean {
  return unit === 0x3b || unit === 0x2c || unit === 0x2e || unit === 0x0a;
}

/** The beginnings of the words before and after the place that is being examined. */
const before = new Beginnings();
const behind = new Beginnings();

/** The words around one place, read once for all candidates that begin there. */
class Surroundings {
  readonly start: number;
  readonly #text: string;
  readonly #before: string;
  #end = -1;
  #behind = '';
  #namesOther: boolean | undefined;

  constructor(text: string, start: number) {
    this.start = start;
    this.#text = text;
    this.#before = text.slice(Math.max(0, start - UNITS_BEFORE), start).toLowerCase();
    before.read(this.#before);
  }

  /** The word nearest before the start, else the one directly after `end`, with its distance in UTF-16 units. */
  nearest(words: ContextWords, end: number): [string, number] | undefined {
    const last = words.mayBeIn(before) ? lastIn(this.#before, words.pattern) : undefined;
    if (last !== undefined) return last;
    if (end !== this.#end) this.#readBehind(end);
    if (!words.mayBeIn(behind)) return undefined;
    words.pattern.lastIndex = 0;
    const match = words.pattern.exec(this.#behind);
    return match === null ? undefined : [match[0], UNITS_BEFORE + match.index];
  }

  #readBehind(end: number): void {
    this.#end = end;
    const limit = Math.min(this.#text.length, end + UNITS_AFTER);
    let stop = end;
    while (stop < limit && !isClauseEnd(this.#text.charCodeAt(stop))) stop++;
    this.#behind = this.#text.slice(end, stop).toLowerCase();
    behind.read(this.#behind);
  }

  get namesOther(): boolean {
    this.#namesOther ??=
      LABELLED.test(this.#before.slice(-3)) &&
      isOtherNumber(this.#before.slice(-32)) &&
      !SPEAKER.test(this.#before.slice(-32));
    return this.#namesOther;
  }

  /**
   * Whether the candidate has no word of its own close enough to outweigh the word for something else that stands
   * directly before it.
   */
  isFarFrom({ contextWord, contextDistance, entityType }: Candidate): boolean {
    if (contextWord === undefined || contextDistance! > OWN_WORD_UNITS) return true;
    // `call` and `text` are also verbs. Then the noun nearer to the number says what it is.
    return entityType === 'PHONE_NUMBER' && CALLED_ABOUT.test(this.#before.slice(-32));
  }
}

function isOtherNumber(before: string): boolean {
  if (OTHER_NUMBER.test(before)) return true;
  return (before.includes('nr') || before.includes('nummer')) && COMPOUND_NUMBER.test(before);
}

/** The last match of a pattern, with the distance from its end to the end of the text. */
function lastIn(text: string, pattern: RegExp): [string, number] | undefined {
  let found: [string, number] | undefined;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    found = [match[0], text.length - match.index - match[0].length];
  }
  return found;
}

function addContext(candidate: Candidate, around: Surroundings, more: ContextWords | undefined): void {
  if (candidate.context === undefined) return;
  const own = around.nearest(candidate.context, candidate.end);
  const found = own ?? (more && around.nearest(more, candidate.end));
  if (found === undefined) return;
  candidate.contextDistance = found[1];
  candidate.isCallersWord = own === undefined;
  raiseByWord(candidate, found[0]);
}

/** Raises the score of a candidate because of a word near it, or because of the head of its column. */
export function raiseByWord(candidate: Candidate, word: string): void {
  candidate.contextWord = word;
  if (candidate.validation === 'passed') {
    if (candidate.needsWord) candidate.score = 1;
    return;
  }
  candidate.score = roundScore(Math.min(1, Math.max(candidate.score + BOOST, FLOOR)));
}

function isNearer(one: Candidate, other: Candidate): boolean {
  if (one.contextWord === undefined) return false;
  if (other.contextWord === undefined) return true;
  // The caller's words apply to every type, so a word that names one type is better evidence.
  if (one.isCallersWord !== other.isCallersWord) return other.isCallersWord!;
  const difference = one.contextDistance! - other.contextDistance!;
  return difference < 0 || (difference === 0 && one.contextWord.length > other.contextWord.length);
}

function doubt(candidate: Candidate, reason: string): void {
  candidate.score = Math.min(candidate.validation === 'passed' ? DOUBTFUL : candidate.baseScore, DOUBTFUL);
  candidate.reason = reason;
}

/** Lowers the score of candidates that overlap a candidate with a nearer word. `found` is in order of start. */
function chooseBetweenRivals(found: readonly Candidate[]): void {
  for (let i = 0; i < found.length; i++) {
    for (let j = i + 1; j < found.length && found[j]!.start < found[i]!.end; j++) {
      const one = found[i]!;
      const other = found[j]!;
      if (one.entityType === other.entityType) continue;
      if (isWeak(other) && isNearer(one, other))
        doubt(other, `"${one.contextWord}" nearby names ${one.entityType}`);
      else if (isWeak(one) && isNearer(other, one))
        doubt(one, `"${other.contextWord}" nearby names ${other.entityType}`);
    }
  }
}

/**
 * Whether a nearer word for something else can outweigh the candidate: it has no check digit, or one that many
 * numbers pass by chance.
 */
function isWeak(candidate: Candidate): boolean {
  return candidate.context !== undefined && (candidate.isChance || candidate.validation === 'none');
}

/** Adjusts the scores of the candidates of one block by the text around them. The candidates may be in any order. */
export function applyContext(text: string, found: Candidate[], more: ContextWords | undefined): void {
  if (found.length === 0) return;
  found.sort((a, b) => a.start - b.start);
  let around: Surroundings | undefined;
  for (const candidate of found) {
    if (candidate.context === undefined) continue;
    if (around?.start !== candidate.start) around = new Surroundings(text, candidate.start);
    addContext(candidate, around, more);
    if (isWeak(candidate) && around.isFarFrom(candidate) && around.namesOther) {
      doubt(candidate, 'the word before it names another kind of number');
    }
  }
  chooseBetweenRivals(found);
}

/** Whether the candidate is attached to a word that does not name its type, and so is part of that word. */
export function isPartOfWord({ isGlued, contextDistance }: Candidate): boolean {
  return isGlued && !(contextDistance !== undefined && contextDistance <= GLUE_UNITS);
}
