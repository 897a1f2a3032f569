/** Months that are told by what is paid or written for them, or of which a part is told. */
import { inSmall } from '../patterns/in-small.js';
import { lean } from '../patterns/lean.js';

const PAID_IN_ENGLISH =
  'invoices?|bills?|rent|statements?|payslips?|paychecks?|salar(?:y|ies)|wages|payroll|reports?|rota|newsletter|fees?|dues|premiums?|instal+ments?|mortgage|owes?|owed|paid|charged|billed|timesheets?|expenses|figures|numbers|takings|accounts|payments?';
const PAID = [
  'faturas?|mensalidades?|renda|aluguel|aluguer|salário|ordenado|contas?|propinas?|prestação|condomínio|cota|quota|pagamento',
  'facturas?|recibos?|nóminas?|cuotas?|alquiler|renta|mensualidad|sueldo|paga|pago|extracto',
  'factures?|loyers?|charges|bulletins? de (?:paie|paye|salaire)|fiches? de (?:paie|paye)|quittances?|salaires?|paie|paye|relevés?|cotisations?|mensualités?|échéances?|abonnement|paiements?|règlements?',
  'fatture|fattura|affitt[oi]|bollett[ae]|stipendio|stipendi|canon[ei]|bust[ae] paga|rat[ae]|mensilità|cedolin[oi]|spese|pagament[oi]',
  'Rechnung(?:en)?|Miete|Gehalt|Lohn|Abrechnung|Lohnabrechnung|Gehaltsabrechnung|Nebenkosten|Abschlag|Beitrag|Kontoauszug|Rate|Zahlung',
  'factuur|facturen|huur|salaris|loon|loonstrook|contributie|rekening|termijn|maandfactuur|betaling',
  'faktur[ayęy]|czynsz(?:u)?|pensj[aęi]|wypłat[ayę]|rachun(?:ek|ku|ki)|składk[aię]|rat[ayę]|opłat[ayę]|abonament',
]
  .join('|')
  .toLowerCase();
const FOR = "(?:for|of|de|del|di|do|da|von|vom|für|van|voor|za|z|ze) |d[’']";
/** What it is paid for: `el recibo de la luz de marzo`. */
const THING = "(?: (?:de la|de l[’']|del|da|do|dell[ae]|du|de|der|für) ?\\p{Ll}{2,14})?";
/** What stands right before a month, and is read from there back: `loyer d'`, `Miete`, `rent for`. */
const BEFORE_PAID = lean(
  `(?<=(?<!\\p{L})(?:(?:${PAID})(?:${THING} (?:${FOR})| )|(?:${PAID_IN_ENGLISH}) (?:for|of) ))`,
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
