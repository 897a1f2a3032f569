/** Somebody in the books of offices and shops: what is made out, assigned or belongs to a name of two words. */
import { nameSigns } from './name-signs.js';
import { type Rule, START } from './told-rules.js';

/** What is made out to somebody, in the books of offices and shops. */
const RECORD =
  '[Cc]hange|[Rr]equest|[Rr]efund|[Bb]ooking|[Rr]eservation|[Ii]nvoice|[Aa]ppointment|[Pp]rescription|[Pp]ermit|[Bb]adge|[Rr]eset|[Aa]ccount|[Vv]isa|[Pp]olicy|[Cc]laim|[Rr]eceipt|[Pp]ayslip|[Pp]ayment|[Ll]icen[cs]e|[Pp]assport|[Aa]pplication|[Aa]greement|[Cc]ontract|[Cc]ertificate|[Tt]ranscript|[Rr]eferral|[Mm]embership|[Ss]ubscription|[Pp]arcel|[Pp]ackage|[Vv]oicemail|[Pp]ayout|[Pp]ayroll|[Rr]eimbursement|[Qq]uote|[Ll]ocker|[Dd]eposit|[Rr]echnung|[Tt]ermin|[Rr]ückerstattung|[Bb]uchung|[Rr]eservierung|[Ll]ieferung|[Ee]rstattung|[Pp]aket|[Aa]ngebot|[Ff]acture|[Rr]éservation|[Rr]emboursement|[Rr]endez-vous|[Cc]olis|[Oo]rdonnance|[Rr]eserva|[Ff]actura|[Rr]eembolso|[Cc]ita|[Pp]aquete|[Ff]attura|[Pp]renotazione|[Rr]imborso|[Aa]ppuntamento|[Pp]acco|[Ff]atura|[Cc]onsulta|[Ee]ncomenda|[Ff]actuur|[Rr]eservering|[Aa]fspraak|[Pp]akket|[Tt]erugbetaling|[Ff]aktur[aęy]|[Rr]ezerwacj[aęi]|[Zz]wrot|[Ww]izyt[aęy]|[Pp]aczk[aęi]';
const FOR = 'for|für|pour|para|per|voor|dla';
/** What stands before somebody who has or does something there. */
const DONE_BY =
  '[Oo]n behalf of|belongs? to|belonging to|(?:re)?assigned to|registered to|made out to|issued to|addressed to|escalated to|handed over to|requested by|raised by|opened by|submitted by|signed by|owned by|covered by';
/** Two words that nobody but people have side by side: no capital stands inside one. */
const TWO_WORDS = "\\p{Lu}\\p{Ll}{2,} (?:[OD]['’]|Mc|Mac)?\\p{Lu}\\p{Ll}{2,}(?:-\\p{Lu}\\p{Ll}+)?";

export const HAS_RECORD = nameSigns.add(
  `${RECORD}|behalf|belongs?|belonging|(?:re)?assigned|registered|made|issued|addressed|escalated|handed|requested|raised|opened|submitted|signed|owned|covered`,
);

export const RECORD_RULE: Rule = {
  sign: HAS_RECORD,
  pattern: new RegExp(
    `${START}(?:(?:${RECORD})s? (?:${FOR})|${DONE_BY}) (?<name>${TWO_WORDS})(?! ?\\p{Lu}|[\\p{L}\\d@/-])`,
    'gu',
  ),
  needs: new RegExp(` (?:${FOR}|of|to|by) ${TWO_WORDS}`, 'u'),
  overPieces: true,
  isUnknown: true,
};
