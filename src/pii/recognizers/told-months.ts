/** Recognizes a month by what is paid for it (`rent for may`), or by a word for a part of it (`Ende April`). */
import { inSmall } from '../patterns/in-small.js';
import { lean } from '../patterns/lean.js';
import { anyOf, readWords } from '../words/words.js';

const WORDS = readWords<'english' | 'paid'>('paid');
const FOR = "(?:for|of|de|del|di|do|da|von|vom|für|van|voor|za|z|ze) |d[’']";
/** What the payment is for: `el recibo de la luz de marzo`. */
const THING = "(?: (?:de la|de l[’']|del|da|do|dell[ae]|du|de|der|für) ?\\p{Ll}{2,14})?";
/** The words directly before a month, matched backwards from it: `loyer d'`, `Miete`, `rent for`. */
const BEFORE_PAID = lean(
  `(?<=(?<!\\p{L})(?:(?:${anyOf(WORDS.paid)})(?:${THING} (?:${FOR})| )|(?:${WORDS.english.en}) (?:for|of) ))`,
  'uy',
);
/** A word for a part of a month: `début d'avril`, `a finales de mayo`, `Ende April`. */
const BEFORE_REST = lean(
  /(?<=(?<!\p{L})(?:(?:end|start|beginning|middle|half|month) of |(?:anfang|mitte|ende|begin|half|eind) (?:van )?|(?:début|fin|courant|moitié|mois) (?:de |d[’'])|(?:principios|finales|mediados|comienzos|fines|primeros) de |(?:inizio|fine|metà|primi) (?:di |d[’'])|(?:início|inícios|fim|finais|meados|fins) de |(?:początk(?:u|iem)|końc(?:u|a|em)|połow(?:ie|y)|koniec|początek) ))/uy,
);

const BEFORE_UNITS = 64;

/** Whether the words before `start` show that it is a month: something is paid for it, or a part of it is meant. */
export function isOfAMonth(text: string, start: number): boolean {
  const before = inSmall(text.slice(Math.max(0, start - BEFORE_UNITS), start));
  return isBehind(BEFORE_REST, before, before.length) || isBehind(BEFORE_PAID, before, before.length);
}

function isBehind(pattern: RegExp, text: string, start: number): boolean {
  pattern.lastIndex = start;
  return pattern.test(text);
}
