/** Names of peoples that the model has read little of, told by their form, and whoever is called something. */

import { type Gazetteer, LIST_NRP, wordKey } from '../../model/gazetteer.js';
import type { NameSpan } from '../../name-span.js';
import { lean } from '../../patterns/lean.js';
import { isSmallAt } from '../words-beside.js';
import { CAPITAL, HAS_DEED, NAME, type Rule, START } from './told-rules.js';

/** Surnames of Korea, behind a given name of two syllables. */
const KOREAN =
  'Kim|Lee|Yi|Park|Bak|Choi|Choe|Jung|Jeong|Chung|Kang|Cho|Jo|Yoon|Yun|Jang|Chang|Lim|Im|Han|Oh|Seo|Suh|Shin|Sin|Kwon|Hwang|Ahn|An|Song|Yoo|Yu|Ryu|Hong|Moon|Mun|Son|Sohn|Baek|Paik|Bae|Noh|Roh|Nam|Ha|Heo|Hur|Ko|Koh|Go|Min|Ku|Koo|Goo|Woo|Cha|Joo|Ju|Chu|Jin|Byun|Do|Eom|Um|Kwak|Sung|Seong|Ma|Na|Pyo|Ban|Wang|Gil|Won|Yeo|Yang|Ji|Kong|Gong|Tak|Sim|Shim|Myung';
/** Words for somebody, before what they are called. */
const SOMEBODY =
  'man|woman|guy|lad|lass|girl|boy|kid|bloke|chap|lady|gentleman|person|someone|somebody|nurse|doctor|cook|driver|teacher|student|pupil|neighbou?r|colleague|coworker|friend|classmate|roommate|flatmate|janitor|midwife|plumber|electrician|builder|waiter|waitress|barber|baker|tutor|coach|intern|clerk|farmer|fisherman|painter|carpenter|singer|drummer|dancer|cousin|uncle|aunt|nephew|niece|son|daughter|brother|sister|baby|child|patient|client|customer|tenant|landlord|passenger|volunteer|developer|engineer|Mann|Frau|Mädchen|Junge|Kollege|Kollegin|Nachbar|Nachbarin|Freund|Freundin|homme|femme|fille|garçon|collègue|voisine?|amie?|hombre|mujer|chico|chica|niñ[oa]|vecin[oa]|amig[oa]|colega|uomo|donna|ragazz[oa]|bambin[oa]|amic[oa]|homem|mulher|rapaz|menin[oa]|moç[oa]|vizinh[oa]|meisje|jongen|vrouw|buurman|buurvrouw|vriend|vriendin';
const CALLED =
  '(?:called|named|namens|nommée?|appelée?|prénommée?|llamad[oa]|que se llama|di nome|chiamat[oa]|chamad[oa]|genaamd|imieniem|o imieniu)';

/** This is told sooner. */
export const HYPHENED_GIVEN = /-[a-z]{2,6} [A-Z]/;

/** `Hyun-woo Park`; `sign` is that of a hyphen. */
export function koreanRule(sign: number): Rule {
  return {
    sign,
    pattern: lean(
      `${CAPITAL}${START}(?<name>\\p{Lu}\\p{Ll}{1,5}-\\p{Ll}{2,6} (?:${KOREAN}))(?![\\p{L}-])`,
      'gu',
    ),
    needs: HYPHENED_GIVEN,
    overPlace: true,
    overPieces: true,
    hasSurname: true,
  };
}

/** What is somebody's, in an office or a shop. */
export const MATTERS =
  'pedido|paquete|cita|factura|reserva|expediente|nómina|encomenda|fatura|consulta|commande|colis|facture|dossier|ordine|pacco|fattura|pratica|bestelling|afspraak|pakket';

/** `em casa do Rui Sequeira`, `chez Solange`, `el pedido de Jacinto Beltrán`; `sign` is that of these words. */
export function hostRule(sign: number): Rule {
  return {
    sign,
    pattern: lean(
      `${START}(?:[Cc]asa d[aoei]|[Cc]hez|[Uu]na? tal|[Aa]qui é [ao]|(?:${MATTERS}) (?:de|do|da|di|van)) (?<name>${NAME}(?: ${NAME})?)(?![\\p{L}-])`,
      'gu',
    ),
    needs: lean(
      `(?<!\\p{L})(?:[Cc]asa d[aoei]|[Cc]hez|[Uu]na? tal|[Aa]qui é [ao]|(?:${MATTERS}) (?:de|do|da|di|van)) \\p{Lu}`,
      'u',
    ),
    overPlace: true,
    overPieces: true,
    hasFirstName: true,
  };
}

/** `Oi, aqui é o Valdemir`: who speaks, in Portuguese; `sign` is that of these words. */
export function speakerRule(sign: number): Rule {
  return {
    sign,
    pattern: lean(`${START}[Aa]qui é [ao] (?<name>${NAME}(?: ${NAME})?)(?![\\p{L}-])`, 'gu'),
    needs: /qui é [ao] [A-Z]/,
    overPlace: true,
    overPieces: true,
    isUnknown: true,
  };
}

/** `a lad called Tavita`. */
export const CALLED_RULE: Rule = {
  sign: HAS_DEED,
  pattern: lean(
    `${START}(?:${SOMEBODY})(?:,? (?:who (?:is|was)|who['’]s|is|was))? ${CALLED} (?<name>${NAME}(?: ${NAME}){0,2})(?![\\p{L}-])`,
    'gu',
  ),
  needs: lean(` ${CALLED} \\p{Lu}`, 'u'),
  overPlace: true,
  overPieces: true,
  isUnknown: true,
};

/** Before a nationality in small letters: `l'étudiant coréen`. */
const SOMEBODY_BEFORE = lean(
  /(?<!\p{L})(?:étudiante?|élève|voisine?|collègue|amie?|médecin|infirmi(?:er|ère)|cuisini(?:er|ère)|professeure?|mari|femme|compagn(?:on|e)|locataire|chauffeur|stagiaire|estudiante|alumn[oa]|vecin[oa]|compañer[oa]|amig[oa]|médic[oa]|doctora?|enfermer[oa]|cociner[oa]|profesora?|marido|mujer|inquilin[oa]|studente(?:ssa)?|vicin[oa]|collega|amic[oa]|medico|infermier[ea]|cuoc[oa]|marito|moglie|estudante|alun[oa]|vizinh[oa]|colega|enfermeir[oa]|cozinheir[oa]|professora?) $/iu,
);
const DEMONYM = /^\p{Lu}\p{Ll}+(?:i|an|ish|ese|ic)$/u;

/** `Iraqi cities`: a nationality, though the model takes it for a place. */
export function isDemonym(text: string, { type, start, end }: NameSpan, lists: Gazetteer): boolean {
  if (type === 'PERSON' ? !isSmallAt(text, start) : !isSmallAt(text, end + 1)) return false;
  const found = text.slice(start, end);
  if (type === 'PERSON')
    return (
      /^\p{Ll}+$/u.test(found) &&
      SOMEBODY_BEFORE.test(text.slice(Math.max(0, start - 16), start)) &&
      (lists.find(wordKey(text, start, end)) & LIST_NRP) !== 0
    );
  if (type !== 'LOCATION' || !DEMONYM.test(found) || !/^ \p{Ll}/u.test(text.slice(end, end + 2)))
    return false;
  return (lists.find(wordKey(text, start, end)) & LIST_NRP) !== 0;
}
