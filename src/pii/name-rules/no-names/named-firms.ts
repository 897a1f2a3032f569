/**
 * Firms, brands and shops by their names: `Hornbach`, `T. Rowe Price`. Of those that people are called like, the words
 * beside one must say that it is no person: what it costs, what is sold, or another firm.
 */

import { CLASS_UPPER, charClass, isLetterUnit } from '../../model/characters.js';
import { type FirmKind, firmNames } from '../../model/firms.js';
import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { isSmallAt } from '../words-beside.js';
import { isIntroduced } from './introduced.js';

const APOSTROPHES = "'’";
const MARKS = '?!.,';
/** Behind it stands a place rather than a shop. */
const PLACE_FOLLOWS = lean(
  /(?<!\p{L})(?:in|near|of|to|from|nach|aus|von|im|zu|à|de|du|de la|des|au|vers|hacia|desde|di|da|do|na|w|we|z|do|naar|uit|te|rue|gare de|the|der|die|das|la|le|el|il) $|[dl]['’]$/iu,
);
/** What it costs, how many are bought, what the market says of it. */
const PRICED_BEHIND = lean(
  /^(?:['’]s)?[:,]?(?: \p{Ll}{2,16})?[ (]{0,2}(?:x ?\d|\d{1,4} ?[x×](?!\p{L})|[-+−]?\d[\d.,]{0,12} ?(?:%|[€$£]|(?:EUR|USD|GBP|CHF|PLN|zł|kr|pp?s?)(?!\p{L}))|[€$£] ?\d|[-−]\d)/u,
);
const DOES_AS_FIRM = lean(
  /^(?:['’]s)? (?:(?:is |was |still |no longer )?(?:un|de)?listed|shares?|stock|options|bonds|earnings|ticker|beat (?:by|estimates)|merged|acquired|invoices?|policy|policies|refunds?|vouchers?|gift cards?|gift box|coupons?|store|shop|outlet|branch|website|app|account|ketchup|beans|soup|beer|wine|tea|coffee|chocolate|cheese|yogh?urt|cereal|sauce|soap|shampoo|cream|perfume|jeans|shoes|boots|shirts?|jacket|handbag|watch|ring|lifts?|elevators?|oven|fridge|dishwasher|washing machine|drill|saw|lamps?|chairs?|tables?|sofa|desk|upright|pianos?|guitars?|hats?|bags?|scarf|tie|suits?|dress|coat|tape|paint|tyres?|bikes?|helmet|tent|stove|kettle|toaster|mixer|vacuum|razor|knife|knives|pans?|pots?|plates?|mugs?|cushions?|duvet|mattress|rug|curtains?|wallpaper|toys?|dolls?|puzzle|pram|tests?|specs?|suite|pipeline|cluster|server|container|image|plugin|config|queue|worker|dashboards?)(?!\p{L})/u,
);
/** A thing stands before its brand in Romance languages: `la pâte Herta`, `el vino Torres`. */
const THING_BEFORE = lean(
  /(?<!\p{L})(?:du|de la|des|le|la|les|un|une|el|los|las|una|del|il|lo|gli|o|a|os|as|um|uma|do|da) (?!(?:\p{L}{0,12}(?:eur|euse|ière|ier|ora?|ista|iste|ente?|ante?)|mère|père|sœur|soeur|frère|femme|mari|fille|fils|famille|voisine?|collègue|amie?|tante|oncle|docteur|petite?|jeune|vieille|vieux|madre|padre|hermana|hermano|mujer|marido|hija|hijo|familia|vecina|vecino|amiga|amigo|tía|tío|niña|niño|joven|moglie|marito|figlia|figlio|famiglia|vicina|vicino|amica|amico|zia|zio|nonna|nonno|cara|caro|mãe|pai|irmã|irmão|filha|filho|família|menina|menino|prof)(?!\p{L}))\p{Ll}{3,16} $/u,
);
/** `Powered by Oscar`. */
const RUNS_ON =
  /(?:[Pp]owered by|[Bb]uilt (?:with|on)|[Rr]unning on|[Mm]igrat\w+ (?:to|from)|[Uu]pgrad\w+|[Bb]umps?) $/;
/** `a lift engineer, Schindler`. */
const WORKS_FOR = lean(
  /(?<!\p{L})(?:engineer|technician|mechanic|rep|supplier|contractor|vendor|dealer|fitter|courier|Monteur|Lieferant|Vertreter|technicien|fournisseur|técnico|proveedor|tecnico|fornitore|fornecedor|monteur|leverancier),? $/u,
);
/** `Kühne + Nagel`. */
const PLUS_BEFORE = lean(/\p{Lu}\p{L}+ \+ $/u);
/** `Makita DDF484`: a code of a product, behind a name that is none of a person. */
const CODE_BEHIND = /^ (?=[A-Z\d-]{2,12}(?![\w-]))[A-Z]{1,4}-?\d{1,4}[A-Z]{0,3}(?![\w-])/;
const AROUND_UNITS = 48;
/** Shorter words are firms in one country and ordinary words in another. */
const SHORTEST_ALONE = 5;
const BEHIND_UNITS = 40;
const MOST_WORDS = 3;
const LONGEST_WORD = 24;
const MOST_BEHIND = 2;
const BEHIND_NAME = ['. ', ' & ', ' '];
const PARTICLE = /^(?:van|von|de|di|du|da|bei|by) /;

/** Whether a span that the model takes for a person or place is a firm, a brand or what is sold under it. */
export function isNamedFirm(text: string, { type, start, end }: NameSpan, found: string): boolean {
  const isAfterAnd = text.startsWith('& ', start - 2);
  const mayBePart = type === 'PERSON' || isAfterAnd;
  const from = mayBePart ? wordBefore(text, start) : start;
  const begins = firmNames().mayBegin(text, start);
  const beginsBefore = from < start && firmNames().mayBegin(text, from);
  const mayHaveParticle = isSmallAt(text, start) && found.includes(' ');
  if (!begins && !beginsBefore && !mayHaveParticle && text.charAt(start - 2) !== '+') return false;
  if (isIntroduced(text, start)) return false;
  const before = text.slice(Math.max(0, start - BEHIND_UNITS), start);
  if (mayBePart && (PLUS_BEFORE.test(before) || isPartOfFirm(text, from, start, end))) return true;
  const kind = begins ? kindOf(text, start, endOf(text, end)) : undefined;
  if (kind === undefined) return false;
  const after = text.slice(endOf(text, end), end + BEHIND_UNITS);
  const isShop = kind === 'sure' && (found.includes(' ') || !PLACE_FOLLOWS.test(before));
  if (type === 'LOCATION') return isShop || PRICED_BEHIND.test(after);
  return kind === 'sure' || isToldByWords(before, after) || hasFirmBeside(text, start, end);
}

function isToldByWords(before: string, after: string): boolean {
  return (
    PRICED_BEHIND.test(after) ||
    DOES_AS_FIRM.test(after) ||
    CODE_BEHIND.test(after) ||
    THING_BEFORE.test(before) ||
    RUNS_ON.test(before) ||
    WORKS_FOR.test(before)
  );
}

/** Without `'s` or a mark at the end. */
function endOf(text: string, end: number): number {
  if (text.charAt(end - 1) === 's' && APOSTROPHES.includes(text.charAt(end - 2))) return end - 2;
  return MARKS.includes(text.charAt(end - 1)) ? end - 1 : end;
}

/** With `'s` behind it, where the firm is called so: `Lloyd's`, `Frank Cooper's`. */
function kindOf(text: string, start: number, end: number): FirmKind {
  const isOwner = text.charAt(end + 1) === 's' && APOSTROPHES.includes(text.charAt(end));
  const owner = isOwner ? firmNames().kindOf(text, start, end + 2) : undefined;
  return owner ?? firmNames().kindOf(text, start, end);
}

/** `Gurney` of `May Gurney`, `Arthur J` of `Arthur J. Gallagher`, `van Otolift`: with a word before, or up to two behind. */
function isPartOfFirm(text: string, from: number, start: number, end: number): boolean {
  const particle = PARTICLE.exec(text.slice(start, Math.min(end, start + 5)))?.[0].length ?? 0;
  if (particle > 0) return firmNames().kindOf(text, start + particle, end) === 'sure';
  if (isBegunByFirm(text, start, end)) return true;
  const isSure = (to: number) =>
    firmNames().kindOf(text, start, to) === 'sure' ||
    (from < start && firmNames().kindOf(text, from, to) === 'sure');
  if (from < start && isSure(end)) return true;
  let to = end;
  for (let words = 0; words < MOST_BEHIND; words++) {
    const next = wordBehind(text, to);
    if (next === to) return false;
    to = next;
    if (isSure(to)) return true;
  }
  return false;
}

/** Where a word with a capital begins that a blank, or `&`, parts from `start`. */
function wordBefore(text: string, start: number): number {
  const end = text.startsWith(' & ', start - 3) ? start - 3 : start - 1;
  if (end < 0 || text.charAt(start - 1) !== ' ') return start;
  let from = end;
  while (from > 0 && end - from < LONGEST_WORD && isLetterUnit(text.charCodeAt(from - 1))) from--;
  return charClass[text.charCodeAt(from)] === CLASS_UPPER && from < end ? from : start;
}

/** Where a word with a capital ends behind `end`, or `end`. */
function wordBehind(text: string, end: number): number {
  const mark = BEHIND_NAME.find((one) => text.startsWith(one, end));
  const at = end + (mark?.length ?? 0);
  if (mark === undefined || charClass[text.charCodeAt(at)] !== CLASS_UPPER) return end;
  return wordEnd(text, at, Math.min(text.length, at + LONGEST_WORD));
}

/** `Johnnie Walker Black`: the name of a firm, in two words, and more. */
function isBegunByFirm(text: string, start: number, end: number): boolean {
  const first = text.indexOf(' ', start);
  const second = first < 0 || first >= end ? -1 : text.indexOf(' ', first + 1);
  return second > 0 && second < end && firmNames().kindOf(text, start, second) === 'sure';
}

/** Whether a firm that nobody is called like stands near [start, end). */
function hasFirmBeside(text: string, start: number, end: number): boolean {
  return (
    hasFirm(text, Math.max(0, start - AROUND_UNITS), start) ||
    hasFirm(text, end, Math.min(text.length, end + AROUND_UNITS))
  );
}

function hasFirm(text: string, from: number, to: number): boolean {
  let isBehindName = false;
  for (let at = from; at < to; at++) {
    if (isLetterUnit(text.charCodeAt(at - 1))) continue;
    if (charClass[text.charCodeAt(at)] !== CLASS_UPPER) {
      isBehindName = false;
      continue;
    }
    let end = at;
    for (let words = 1; words <= MOST_WORDS && end < to; words++) {
      end = wordEnd(text, words === 1 ? end : end + 1, to);
      const isName = words === 1 && (isBehindName || end - at < SHORTEST_ALONE || isCapitalBehind(text, end));
      if (!isName && firmNames().kindOf(text, at, end) === 'sure') return true;
      if (text.charAt(end) !== ' ') break;
    }
    at = wordEnd(text, at, to);
    isBehindName = text.charAt(at) === ' ';
  }
  return false;
}

function isCapitalBehind(text: string, end: number): boolean {
  return text.charAt(end) === ' ' && charClass[text.charCodeAt(end + 1)] === CLASS_UPPER;
}

function wordEnd(text: string, from: number, to: number): number {
  let end = from;
  while (end < to && (isLetterUnit(text.charCodeAt(end)) || "&'’-".includes(text.charAt(end)))) end++;
  return end;
}
