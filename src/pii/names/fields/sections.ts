/** Whose `name` a field is: decided by what the surrounding section, object or call is called. */

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

const THING =
  /^(?:server|package|stage|font|project|module|plugin|service|database|db|theme|game|device|printer|cluster|host|job|workflow|step|task|tool|product|item|repo|repository|bucket|queue|topic|channel|image|container|app|application|program|bin|lib|branch|environment|brand|vendor|font|colou?r|vehicle)s?$/i;
/** `[customer.billing]`. */
const HEADER = /^\s*\[{1,2}["']?(?<path>[\w.-]{2,60})["']?\]{1,2}\s*$/;
/** `tenant:`, `"payee": {`. */
const OPENED = /^(?<indent>\s*(?:- )?)["']?(?<path>[\w-]{2,40})["']?\s*(?::|=>?)\s*[{(]?\s*$/;
/** The same on the line of the field, or a call: `Patient(name=`. */
const INLINE =
  /(?:["']?(?<![\w-])(?<key>[\w-]{2,40})["']?\s?(?::|=>?)\s?[\w.]{0,40}[{(]|(?<![\w.])(?<call>[A-Z]\w{2,40})(?:\.\w{2,20}!?)?\(\{?|\{"?(?<brace>[\w-]{2,40})"?: \{)\s{0,8}["']?$/;
const MOST_LINES = 6;
const MOST_UNITS = 400;

function kindOf(path: string): 'PERSON' | 'THING' | undefined {
  const parts = path.split('.');
  if (parts.some((part) => PERSON.test(part))) return 'PERSON';
  return parts.some((part) => THING.test(part)) ? 'THING' : undefined;
}

/** Whether the field that begins at `at` belongs to a person or to a thing; undefined where nothing tells. */
export function sectionOf(text: string, at: number): 'PERSON' | 'THING' | undefined {
  const before = text.slice(Math.max(0, at - MOST_UNITS), at);
  const lines = before.split('\n');
  const last = lines.at(-1)!;
  const { key, call, brace } = INLINE.exec(last)?.groups ?? {};
  const word = key ?? call ?? brace;
  if (word !== undefined) return kindOf(word);
  const indent = /^\s*/.exec(last)![0].length;
  for (let i = lines.length - 2; i >= 0 && i >= lines.length - 1 - MOST_LINES; i--) {
    const line = lines[i]!;
    if (line.trim() === '') return undefined;
    const header = HEADER.exec(line)?.groups?.path;
    if (header !== undefined) return kindOf(header);
    const opened = OPENED.exec(line)?.groups;
    if (opened !== undefined && opened.indent!.length < indent) return kindOf(opened.path!);
  }
  return undefined;
}
