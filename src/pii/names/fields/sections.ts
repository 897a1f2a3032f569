/** Words for somebody, as fields, columns and tables are called. */

export const SOMEBODY =
  'user|customer|client|patient|contact|employee|owner|author|guest|tenant|student|pupil|teacher|driver|passenger|payer|payee|beneficiary|' +
  'member|subscriber|buyer|seller|cardholder|claimant|insured|applicant|candidate|reporter|assignee|reviewer|doctor|nurse|agent|manager|' +
  'guardian|parent|spouse|child|witness|signer|signatory|attendee|participant|player|landlord|recipient|sender|lead|instructor|adjuster|therapist|lawyer|attorney|physician|surgeon|dentist|coach|trustee|executor|plaintiff|defendant|judge|supervisor|mentor|caller|technician|mother|father|next[_-]?of[_-]?kin';

const PERSON = new RegExp(
  `^(?:${SOMEBODY}|person|people|staff|holder|debtor|creditor|occupant|resident|donor|kunde|kundin|mieter(?:in)?|vermieter(?:in)?|mitarbeiter(?:in)?|zahler|empfaenger|empfänger|locataire|salari[ée]e?|employ[ée]e?|cliente?|inquilin[oa]|paciente|emplead[oa]|dipendente|paziente|ordinante|beneficiari[oa]|klant|huurder|medewerker|klient|najemca|pacjent|pracownik|gast|g[äa]ste|ospite|hu[ée]sped|h[óo]spede|go[śs][ćc]|invit[ée]e?|intestatario|titolare|titular|inhaber(?:in)?|kontoinhaber(?:in)?|rekeninghouder|posiadacz|odbiorca|destinatari[oa]|destinataire|ontvanger|bewoner|mieszkaniec|kontakt|contatto|contacto|contato|referente|responsable|responsabile|ansprechpartner(?:in)?|contactpersoon|lehrer(?:in)?|sch[üu]ler(?:in)?|[ée]l[èe]ve|alumn[oa]|alun[oa]|leerling|ucze[ńn]|fahrer(?:in)?|chauffeur|autista|kierowca|m[ée]dico|m[ée]decin|lekarz|runner|rider|swimmer|skipper|host|lodger|singer|artist|speaker|counsell?or|volunteer|courier)s?$`,
  'i',
);

/** Whether a key says that somebody is meant: `tenant`, `Kundin`. */
export function isSomebody(key: string): boolean {
  return PERSON.test(key);
}
