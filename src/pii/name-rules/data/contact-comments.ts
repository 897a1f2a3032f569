/** Whom a comment of a program names as the one to ask, in eight languages: `# Ansprechpartnerin: Ada Lind, Tel. …`. */

import type { Gazetteer } from '../../model/gazetteer.js';
import { lean } from '../../patterns/lean.js';
import type { FieldName } from './field-names.js';
import { allOf } from './stretches.js';
import { isLikelyPerson } from './values.js';

const TOLD = 0.8;
const LABELS =
  'contact|point of contact|contact person|owner|code owner|maintainer|author|responsible|reviewer|assignee|reporter|requester|escalation|on[- ]call|' +
  'kontakt|kontaktperson|ansprechpartner(?:in)?|ansprechperson|zuständig|betreuer(?:in)?|verantwortlich(?:er?)?|bearbeiter(?:in)?|autor(?:in)?|rückfragen(?: an)?|' +
  'responsable|référente?|auteur|autrice|interlocuteur|interlocutrice|demandeur|demandé par|contacto|encargad[oa]|autora|' +
  'contatto|referente|responsabile|autore|contato|responsável|contactpersoon|aanspreekpunt|beheerder|verantwoordelijke|' +
  'osoba kontaktowa|opiekun(?:ka)?|odpowiedzialn[ya]|kierownik|autorka';
/** Each with or without a capital: what follows has one, so that the pattern cannot ignore case. */
const ANY_LABEL = LABELS.replace(lean(/(?<=^|\|)\p{L}/gu), (first) => `[${first.toUpperCase()}${first}]`);
const TITLE =
  '(?:(?:Dr|Prof|Mr|Mrs|Ms|Frau|Herr|Mme|M|Sra?|Dott|Ing|mgr|inż|Dhr|Mevr|dhr|mevr|Pan|Pani)\\.? )';
const PARTICLE = "(?:de|da|do|dos|di|del|della|van|von|der|den|ter|la|le|el|al|bin|d['’]|dell['’])";
const WORD = "\\p{Lu}[\\p{L}\\p{M}'’ʻ-]+";
const CONTACT = lean(
  `(?<=^|[\\n \\t])(?:#{1,3}|/{2,3}|--|;|/?\\*{1,2}|<!--|%)[ \\t]{0,4}(?:${ANY_LABEL})\\s?[:=][ \\t]{0,4}${TITLE}{0,2}(?<name>${WORD}(?: (?:${PARTICLE} ?){0,2}(?:${WORD}|\\p{Lu}\\.)){1,3})(?![\\p{L}\\p{N}@/])`,
  'gu',
);
/** This is told sooner: the first letters of the labels, and their sign. */
const SIGN =
  /(?:#|\/\/|--|[;*%])[ \t]{0,4}(?:con|poi|own|cod|mai|aut|res|rev|ass|rep|req|esc|on[- ]|kon|ans|zus|bet|ver|bea|rüc|réf|int|dem|enc|ref|aan|beh|oso|opi|odp|kie)[^\n:=]{0,24}[:=]/i;
/** Parts of firms and offices. */
const DEPARTMENT = lean(
  /(?<!\p{L})(?:Team|Support|Service|Services|Desk|Help|Office|Guild|Squad|Tribe|Platform|Engineering|Operations|Ops|Security|Sales|Marketing|Release|Abteilung|Vertrieb|Einkauf|Buchhaltung|Technik|Kundendienst|Verwaltung|Zentrale|Équipe|Équipes|Direction|Clients?|Comptabilité|Accueil|Equipo|Departamento|Soporte|Atención|Ventas|Oficina|Ufficio|Servizio|Assistenza|Reparto|Acquisti|Vendite|Equipa|Equipe|Suporte|Atendimento|Vendas|Gabinete|Afdeling|Klantenservice|Beheer|Verkoop|Inkoop|Dział|Biuro|Obsługa|Zespół|Pomoc|Sekretariat)(?!\p{L})/u,
);
const AT_ONCE = 64;

/** In order. */
export function* contactComments(text: string, lists: Gazetteer): Generator<void, FieldName[]> {
  const found: FieldName[] = [];
  let count = 0;
  for (const { end, groups } of yield* allOf(CONTACT, text, SIGN)) {
    if (++count % AT_ONCE === 0) yield;
    const name = groups.name!;
    if (!DEPARTMENT.test(name) && isLikelyPerson(name, lists))
      found.push({ type: 'PERSON', start: end - name.length, end, score: TOLD });
  }
  return found;
}
