/** Somebody in the books of offices and shops: what is made out, assigned or belongs to a name of two words. */
import { lean } from '../../patterns/lean.js';
import { nameSigns } from '../name-signs.js';
import { type Rule, START } from './told-rules.js';

/** What is made out to somebody, in the books of offices and shops. */
const RECORD =
  '[Cc]hange|[Rr]equest|[Rr]efund|[Bb]ooking|[Rr]eservation|[Ii]nvoice|[Aa]ppointment|[Pp]rescription|[Pp]ermit|[Bb]adge|[Rr]eset|[Aa]ccount|[Vv]isa|[Pp]olicy|[Cc]laim|[Rr]eceipt|[Pp]ayslip|[Pp]ayment|[Ll]icen[cs]e|[Pp]assport|[Aa]pplication|[Aa]greement|[Cc]ontract|[Cc]ertificate|[Tt]ranscript|[Rr]eferral|[Mm]embership|[Ss]ubscription|[Pp]arcel|[Pp]ackage|[Vv]oicemail|[Pp]ayout|[Pp]ayroll|[Rr]eimbursement|[Qq]uote|[Ll]ocker|[Dd]eposit|[Rr]echnung|[Tt]ermin|[Rr]ückerstattung|[Bb]uchung|[Rr]eservierung|[Ll]ieferung|[Ee]rstattung|[Pp]aket|[Aa]ngebot|[Ff]acture|[Rr]éservation|[Rr]emboursement|[Rr]endez-vous|[Cc]olis|[Oo]rdonnance|[Rr]eserva|[Ff]actura|[Rr]eembolso|[Cc]ita|[Pp]aquete|[Ff]attura|[Pp]renotazione|[Rr]imborso|[Aa]ppuntamento|[Pp]acco|[Ff]atura|[Cc]onsulta|[Ee]ncomenda|[Ff]actuur|[Rr]eservering|[Aa]fspraak|[Pp]akket|[Tt]erugbetaling|[Ff]aktur[aęy]|[Rr]ezerwacj[aęi]|[Zz]wrot|[Ww]izyt[aęy]|[Pp]aczk[aęi]';
const FOR = 'for|für|pour|para|per|voor|dla';
/** What stands before somebody who has or does something there. */
const DONE =
  '[Oo]n behalf|belongs?|belonging|(?:re)?assigned|registered|issued|addressed|escalated|requested|opened|submitted|signed|owned';
/** Two words that nobody but people have side by side: no capital stands inside one. */
const TWO_WORDS = "\\p{Lu}\\p{Ll}{2,} (?:[OD]['’]|Mc|Mac)?\\p{Lu}\\p{Ll}{2,}(?:-\\p{Lu}\\p{Ll}+)?";

export const HAS_RECORD = nameSigns.add(
  `${RECORD}|behalf|belongs?|belonging|(?:re)?assigned|registered|issued|addressed|escalated|requested|opened|submitted|signed|owned`,
);

export const RECORD_RULE: Rule = {
  sign: HAS_RECORD,
  // What follows is looked at before what stands before it: most blanks have no name behind the next word.
  pattern: lean(
    ` (?=(?:${FOR}|of|to|by) \\p{Lu})(?:(?<=${START}(?:${RECORD})s? )(?:${FOR})|(?<=${START}(?:${DONE}) )(?:of|to|by)) (?<name>${TWO_WORDS})(?! ?\\p{Lu}|[\\p{L}\\d@/-])`,
    'gu',
  ),
  overPieces: true,
  isUnknown: true,
};
