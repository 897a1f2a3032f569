/** Months that are told by what is paid or written for them, or of which a part is told. */
import { inSmall } from '../patterns/in-small.js';
import { lean } from '../patterns/lean.js';
import { anyOf, readWords } from '../words/words.js';

const WORDS = readWords<'english' | 'paid'>('paid');
const FOR = "(?:for|of|de|del|di|do|da|von|vom|für|van|voor|za|z|ze) |d[’']";
/** What it is paid for: `el recibo de la luz de marzo`. */
const THING = "(?: (?:de la|de l[’']|del|da|do|dell[ae]|du|de|der|für) ?\\p{Ll}{2,14})?";
/** What stands right before a month, and is read from there back: `loyer d'`, `Miete`, `rent for`. */
const BEFORE_PAID = lean(
  `(?<=(?<!\\p{L})(?:(?:${anyOf(WORDS.paid)})(?:${THING} (?:${FOR})| )|(?:${WORDS.english.en}) (?:for|of) ))`,
  'uy',
);
/** `début d'avril`, `a finales de mayo`, `Ende April`. */
const BEFORE_REST = lean(
  /(?<=(?<!\p{L})(?:(?:end|start|beginning|middle|half|month) of |(?:anfang|mitte|ende|begin|half|eind) (?:van )?|(?:début|fin|courant|moitié|mois) (?:de |d[’'])|(?:principios|finales|mediados|comienzos|fines|primeros) de |(?:inizio|fine|metà|primi) (?:di |d[’'])|(?:início|inícios|fim|finais|meados|fins) de |(?:początk(?:u|iem)|końc(?:u|a|em)|połow(?:ie|y)|koniec|początek) ))/uy,
);

const BEFORE_UNITS = 64;

/** Whether something is paid for the month at `start`, or a part of it is told. */
export function isOfAMonth(text: string, start: number): boolean {
  const before = inSmall(text.slice(Math.max(0, start - BEFORE_UNITS), start));
  return isBehind(BEFORE_REST, before, before.length) || isBehind(BEFORE_PAID, before, before.length);
}

function isBehind(pattern: RegExp, text: string, start: number): boolean {
  pattern.lastIndex = start;
  return pattern.test(text);
}
