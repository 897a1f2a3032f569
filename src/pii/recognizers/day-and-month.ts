/** Whether two numbers are a day and a month, by what stands around them: `on 14/02`, but `after 3/5 retries`. */
import { lean } from '../patterns/lean.js';

/** How many units after the two numbers are checked. */
const UNITS_BEHIND = 20;
/** Padded numbers such as `02/03` are not a fraction: after `from` and `to` they are a date. */
const PADDED = /^(?:0\d\/\d\d|\d\d\/0\d)$/;
const FROM_OR_TO = lean(
  /(?<!\p{L})(?:from|to|between|and|or|then|vence em|até|em|von|auf|de|a|van|naar|z|na) $/iu,
);
/** Words right before two numbers that make them day and month: `on 14/02`. */
const BEFORE_DAY = lean(
  /(?:^|[^\p{L}])(?:on|w\/[ce]|wc|(?:week )?commencing|week of|by|until|till|since|due|before|after|dated?|birthday|born|dob|am|vom|bis|zum|seit|el|del|le|du|il|dal|al|op|deadline|día|dia|fällig|échéance|scadenza|plazo|prazo|vence|frist|termin|dnia|fecha|datum|data|ends|starts|begins|expires|closes|opens|arrives|leaves|out|outbound|inbound|depart(?:s|ing|ure)?|arrival|arriving|return(?:s|ing)?|check-?in|check-?out|pickup|collection|moved|aller|retour|ida|vuelta|andata|ritorno|heen|terug|volta)(?: is| on|:)? (?:the )?$/iu,
);

/** The same for `am 14.02.`. */
export const BEFORE_DOTTED_DAY = lean(
  /(?<!\p{L})(?:am|vom|bis|zum|seit|ab|den|dem|(?:mo|di|mi|do|fr|sa|so)\.?,?|fällig|frist:?|termin:?|do dnia|dnia) $/iu,
);

/** What began or ended on a day: `Started 14/02`. Of fractions and shares people say so too, but with fewer figures. */
const BEFORE_PADDED = lean(
  /(?<!\p{L})(?:started|began|ended|expired|lapsed|opened|closed|arrived|left|joined|renewed|cancell?ed|issued|received|sent|shipped|delivered|booked(?: for)?|scheduled for|moved to|returned|paid|signed|arrival|departure|arriving|departing|admitted|discharged|examined|reviewed|transferred|begonnen|erhalten|geliefert|bezahlt|abgelaufen|gestellt|reçue?(?: le)?|expirée?(?: le)?|livrée?(?: le)?|payée?(?: le)?|vencid[oa]|recibid[oa]|enviad[oa]|entregad[oa]|scadut[oa]|ricevut[oa]|spedit[oa]|consegnat[oa]|recebid[oa]|entregue|verlopen|ontvangen|verzonden|otrzyman[eoay]|wysłan[eoay]|od dnia)(?: on)?(?: \p{Lu}{3,})?:? $/iu,
);
const PADDED_FRACTION = /^10\/10$/;

/**
 * Part of a whole: `after 3/5 retries`, `dal 2/3 dei voti`. A date is not followed by a plural that has no verb.
 */
const OF_ALL = lean(
  /^ (?:of (?:them|us|you|those|these)(?!\p{L})|(?:of|de|der|des|dei|degli|delle|das|dos|van|von) (?:the|our|my|your|his|her|their|its|all|los|las|les|nos|mes|ces|alle[nr]?|de|het|den|[\p{L}]{4,}s)(?!\p{L})|(?:del|dei|degli|delle|dos|das|des) \p{Ll}|(?:Versuch|Stimm|Knoten|Test|Teil|Schritt|Punkt|Mitglied|Runde|Anfrage|Stern)\p{Ll}*|(?:tentativ|vot|nod|pezz|part|test|richiest|cas|punt|pass|soc|stell)[ie](?!\p{L})|(?:poging|stem|knooppunt|test|onderdel|stapp|punt|leden|keer)(?:en|s)?(?!\p{L})|(?:prób|głosów|węzłów|testów|części|kroków|punktów|członków|razy|gwiazdek)(?!\p{L})|(?!(?:was|has|is|does|as|this|his|its|us|yes|always|perhaps|unless|besides|plus|thanks|works|suits|looks|sounds|starts|begins|ends|opens|closes|arrives|leaves|departs|goes|comes|gets|seems|clashes|sus|nos|nous|vous|les|des|ses|sous|dans|sans|après|tras|más|es|às|pelas|depois|mas|mais|pas|très|jusque?s|alles|bis|des|als|los|las|hours|heures|horas|guests|visitors)(?!\p{L}))\p{Ll}{2,}s(?!\p{L}))/u,
);

function isShare(found: string, after: string): boolean {
  const [part, whole] = found.split('/');
  return part![0] !== '0' && whole![0] !== '0' && Number(part) <= Number(whole) && OF_ALL.test(after);
}

/** Numbers that can only be a day and a month: `14/02`. */
const DAY_FOR_SURE = /^(?:1[3-9]|2\d|3[01])\/(?:0[1-9]|1[0-2])$/;
/** An item of its own, or the last of a heading: `Visitors, reception B, 14/02`. */
/** `TOUR DATES: NORWICH 02/10, IPSWICH 05/10`, and a cell of its own. */
const BEHIND_CAPITALS = /\p{Lu}{3,} $/u;
const BEFORE_CAPITALS = /^(?:, \p{Lu}{3,} \d|\s*(?:$|\n))/u;
const BEFORE_ITEM = /(?:^|\n|\n[-*•] |, | [-–—|] |\()$/;
const BEHIND_ITEM = /^(?:\)?:?\s*(?:$|\n)|, \p{Lu}{4}|\)| [-–—|] |: )/u;
/** Words before the date of a document: `Minutes 23/09`. */
const WRITTEN = lean(
  /(?<!\p{L})(?:minutes|agenda|notes|rota|roster|log|handover|shift|visitors|meeting|arrivals?|departures?|check-?in|check-?out|transfers?|arr|dep|report|protokoll|dienstplan|schicht|sitzung|übergabe|acta|reunión|turno|orden del día|compte[- ]rendu|réunion|planning|verbale|riunione|turni|ata|reunião|escala|notulen|vergadering|rooster|protokół|zebranie|grafik|dyżur)(?: of| for| vom| del?| du| d[ai]| van| z)?(?: \p{Lu}{3,}){0,2}:? $/iu,
);
/** Words for things that are numbered like this: `Flat 14/02`. */
const NUMBERED = lean(
  /(?<!\p{L})(?:flat|apt|apartment|unit|plot|lot|room|part|page|folio|no|nr|ref|order|invoice|score|size|az|wohnung|zimmer|top|piso|puerta|int|interno|sala|lote|mieszkanie|lokal)\.?(?: \p{L}+)?,? ?\(?$/iu,
);

/** Whether a day and a month stand alone as an item; `before` and `after` are the text around them. */
function isItem(found: string, before: string, after: string): boolean {
  if (PADDED.test(found)) {
    if (BEHIND_CAPITALS.test(before) && BEFORE_CAPITALS.test(after) && !NUMBERED.test(before)) return true;
    if (before.endsWith(' | ') && after.startsWith(' | ')) return true;
  }
  if (!DAY_FOR_SURE.test(found) || !BEHIND_ITEM.test(after) || NUMBERED.test(before)) return false;
  return BEFORE_ITEM.test(before) || WRITTEN.test(before);
}

/**
 * A short weekday before a day: `Fri 3/5`. Some of these are also ordinary words; then only numbers that must be a date
 * count.
 */
export const SHORT_WEEKDAY = /(?<![\w])(?:Mon|Tues?|Weds?|Thu(?:rs?)?|Fri)\.?,? $/;
const ANY_SHORT_WEEKDAY = lean(
  /(?<![\p{L}])(?:mon|tues?|weds?|thu(?:rs?)?|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mi[ée]|jue|vie|s[áa]b|dom|mer|jeu|ven|sam|dim|gio|seg|ter|qua|qui|sex|ma|wo|vr|za|zo|pn|pon|wt|śr|czw?|pt|sob|nd|niedz)\.?,? $/iu,
);

/** `quinta 5/6`, and `sexta` is no sixth of anything then. */
const PORTUGUESE_DAY = lean(/(?<!\p{L})(?:segunda|terça|quarta|quinta|sexta),? $/iu);

function isOfWeekday(found: string, before: string, after: string): boolean {
  return (
    ((SHORT_WEEKDAY.test(before) || PORTUGUESE_DAY.test(before)) && !isShare(found, after)) ||
    ((DAY_FOR_SURE.test(found) || PADDED.test(found)) &&
      !/\p{Lu}\p{Lu}\.?,? $/u.test(before) &&
      ANY_SHORT_WEEKDAY.test(before))
  );
}

/** `14/02 is out for me`. */
const PADDED_BEHIND =
  /^ (?:is (?:out|fine|no good|not good|not possible|impossible|busy|closed|good|free|full|taken|booked|better|best|off|too)|works|suits|would work|won['’]t work|doesn['’]t work|passt|geht|me va|me convient|mi va)(?![\p{L}])/u;

function isPadded(found: string, before: string): boolean {
  return (
    (PADDED.test(found) || DAY_FOR_SURE.test(found)) &&
    (FROM_OR_TO.test(before) || (BEFORE_PADDED.test(before) && !PADDED_FRACTION.test(found)))
  );
}

function isFollowed(text: string, found: string, start: number): boolean {
  const end = start + found.length;
  return PADDED.test(found) && PADDED_BEHIND.test(text.slice(end, end + 20));
}

/** Whether what stands around two numbers makes them day and month. */
export function isDayOfMonth(text: string, found: string, start: number, before: string): boolean {
  const after = text.slice(start + found.length, start + found.length + UNITS_BEHIND);
  if (BEFORE_DAY.test(before)) return !isShare(found, after);
  return (
    isPadded(found, before) ||
    isFollowed(text, found, start) ||
    isItem(found, before, after) ||
    isOfWeekday(found, before, after)
  );
}
