/** The first line of a postal block is whoever lives there, and no place: `Ship to:`, a name, a house and a street. */

import { expand } from '../../expand.js';
import { asType, endingAt, type NameSpan, startingAt } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { matchesOf } from '../../patterns/matches-of.js';

const LABEL =
  '(?:[Tt]o|[Aa]ddress|[Aa]dresse?|[Aa]nschrift|an|à|livraison|facturation|[Dd]irección|a|[Ii]ndirizzo|[Mm]orada|[Ee]ndereço|[Aa]dres|aan|do|[Cc]ustomer|[Rr]ecipient|[Ee]mpfänger(?:in)?|[Dd]estinatai?r(?:io|e)|[Ss]hipping|[Bb]illing|[Dd]elivery)';
/** A line that says for whom the block is, an empty one, or the beginning. */
const HEAD = lean(`(?:^|\\n\\s*\\n|(?<!\\p{L})${LABEL}\\s?:[ \\t]*\\n)[ \\t]*$`, 'u');
const ONE_NAME =
  "(?:(?:Mr|Mrs|Ms|Dr|Herr|Frau|Mme|M\\.|Sra?\\.?|Sig\\.(?:ra)?) )?(?<name>\\p{Lu}[\\p{Ll}\\p{M}'’]+(?: \\p{Lu}\\.)?(?: \\p{Lu}[\\p{L}\\p{M}'’-]+){1,2})";
const NAME = lean(`^${ONE_NAME}$`, 'u');
/** Told before its line is read. */
const LABELLED_SIGN = /:[ \t]*\n[ \t]*\p{Lu}/u;
const LABELLED = lean(`(?<!\\p{L})${LABEL}\\s?:[ \\t]*\\n[ \\t]*${ONE_NAME}(?=[ \\t]*\\n)`, 'gu');
const TOLD = 0.65;
/** Houses, grounds and firms have lines of their own, too. */
const NOBODY =
  /(?:^| )(?:The|Old|New|Upper|Lower|Great|Little|North|South|East|West|House|Cottage|Farm|Lodge|Hall|Court|Barn|Villa|Mill|Manor|Grange|Vicarage|Rectory|Building|Centre|Center|Park|Road|Street|Lane|Close|Drive|Avenue|Way|Place|Gardens?|Hill|Green|View|Terrace|Tower|Office|Hospital|School|College|Church|Hotel|Inn|Shop|Store|Company|Group|Ltd|Inc|Services?|Department|Accounts|Payable|Studios?|Works|Library|Museum|Traders|Trading|Supplies|Foods|Bakery|Logistics|Partners|Brothers|Bros|Sons|Foundation|Trust|Club|Society|Association|Enterprises|Industries|Systems|Solutions|Technologies|Labs|Motors)(?: |$)/u;
/** A line of a house and a street, below. */
const HOUSE = lean(
  /^[ \t]*\n[ \t]*(?:(?:Flat|Apt\.?|Apartment|Unit|Suite|Room|Floor|c\/o|PO Box|P\.O\.)(?: |#)|\d{1,5}[a-zA-Z]?(?:[-/]\d{1,4})?,? \p{L}|\p{Lu}[\p{L}\p{M}.'’ -]{2,40} \d{1,4}[a-zA-Z]?(?=\n|,|$))/u,
);
const HEAD_UNITS = 80;
const HOUSE_UNITS = 80;

/** `spans` with whoever the first line of a block of [from, to) names; both in order. */
export function addAddressees(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
): readonly NameSpan[] {
  const all = expand(spans, (one) => withAddressee(text, one));
  const piece = text.slice(from, to);
  if (!LABELLED_SIGN.test(piece)) return all;
  for (const { index, 0: found, groups } of matchesOf(piece, LABELLED)) {
    const end = from + index + found.length;
    const start = end - groups!.name!.length;
    const isTaken = all.some((one) => one.start < end && one.end > start && one.score >= 0.5);
    if (!isTaken && !NOBODY.test(groups!.name!) && HOUSE.test(text.slice(end, end + HOUSE_UNITS)))
      all.push({ type: 'PERSON', start, end, score: TOLD });
  }
  return all.sort((a, b) => a.start - b.start);
}

/** A place, or whoever the first line of its block names and what is left of it. */
function withAddressee(text: string, span: NameSpan): NameSpan[] {
  const found = text.slice(span.start, span.end);
  if (span.type !== 'LOCATION' || !(text[span.end] === '\n' || found.includes('\n'))) return [span];
  const line = found.split('\n', 1)[0]!;
  if (!NAME.test(line) || NOBODY.test(line)) return [span];
  const end = span.start + line.length;
  if (!HOUSE.test(text.slice(end, end + HOUSE_UNITS))) return [span];
  if (!HEAD.test(text.slice(Math.max(0, span.start - HEAD_UNITS), span.start))) return [span];
  const rest = span.start + found.search(/(?<=\n)\S/);
  const person = endingAt(asType(span, 'PERSON'), end);
  return line.length === found.length ? [person] : [person, startingAt(span, rest)];
}
