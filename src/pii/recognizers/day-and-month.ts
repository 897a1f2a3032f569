/**
 * Decides whether two numbers are a day and a month, by the words directly before them: `on 14/02`, but not `after
 * 3/5 retries`.
 */
import { lean } from '../patterns/lean.js';

/** Words after which two numbers are a day and a month: `on 14/02`. */
const BEFORE_DAY = lean(
  /(?:^|[^\p{L}])(?:on|w\/[ce]|wc|(?:week )?commencing|week of|by|until|till|since|due|before|after|dated?|birthday|born|dob|am|vom|bis|zum|seit|el|del|le|du|il|dal|al|op|deadline|día|dia|fällig|échéance|scadenza|plazo|prazo|vence|frist|termin|dnia|fecha|datum|data|ends|starts|begins|expires|closes|opens|arrives|leaves|out|outbound|inbound|depart(?:s|ing|ure)?|arrival|arriving|return(?:s|ing)?|check-?in|check-?out|pickup|collection|moved|aller|retour|ida|vuelta|andata|ritorno|heen|terug|volta)(?: is| on|:)? (?:the )?$/iu,
);

/** The same for the German form: `am 14.02.`. */
export const BEFORE_DOTTED_DAY = lean(
  /(?<!\p{L})(?:am|vom|bis|zum|seit|ab|den|dem|(?:mo|di|mi|do|fr|sa|so)\.?,?|fällig|frist:?|termin:?|do dnia|dnia) $/iu,
);

/** A short weekday before a day: `Fri 3/5`. */
export const SHORT_WEEKDAY = /(?<![\w])(?:Mon|Tues?|Weds?|Thu(?:rs?)?|Fri)\.?,? $/;

/**
 * What follows a fraction: `after 3/5 retries`, `dal 2/3 dei voti`. A plural noun without a verb does not follow a
 * date.
 */
const OF_ALL = lean(
  /^ (?:of (?:them|us|you|those|these)(?!\p{L})|(?:of|de|der|des|dei|degli|delle|das|dos|van|von) (?:the|our|my|your|his|her|their|its|all|los|las|les|nos|mes|ces|alle[nr]?|de|het|den|[\p{L}]{4,}s)(?!\p{L})|(?:del|dei|degli|delle|dos|das|des) \p{Ll}|(?:Versuch|Stimm|Knoten|Test|Teil|Schritt|Punkt|Mitglied|Runde|Anfrage|Stern)\p{Ll}*|(?:tentativ|vot|nod|pezz|part|test|richiest|cas|punt|pass|soc|stell)[ie](?!\p{L})|(?:poging|stem|knooppunt|test|onderdel|stapp|punt|leden|keer)(?:en|s)?(?!\p{L})|(?:prób|głosów|węzłów|testów|części|kroków|punktów|członków|razy|gwiazdek)(?!\p{L})|(?!(?:was|has|is|does|as|this|his|its|us|yes|always|perhaps|unless|besides|plus|thanks|works|suits|looks|sounds|starts|begins|ends|opens|closes|arrives|leaves|departs|goes|comes|gets|seems|clashes|sus|nos|nous|vous|les|des|ses|sous|dans|sans|après|tras|más|es|às|pelas|depois|mas|mais|pas|très|jusque?s|alles|bis|des|als|los|las|hours|heures|horas|guests|visitors)(?!\p{L}))\p{Ll}{2,}s(?!\p{L}))/u,
);

function isShare(found: string, after: string): boolean {
  const [part, whole] = found.split('/');
  return part![0] !== '0' && whole![0] !== '0' && Number(part) <= Number(whole) && OF_ALL.test(after);
}

/** Whether the text around two numbers makes them a day and a month. */
export function isDayOfMonth(found: string, before: string, after: string): boolean {
  return (BEFORE_DAY.test(before) || SHORT_WEEKDAY.test(before)) && !isShare(found, after);
}
