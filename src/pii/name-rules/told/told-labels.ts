/** A surname that somebody is told by: `surname Okonjo`, `un certain Kermarrec`, `the Birtwhistle boy`, `Citofonare Pezzotta`. */
import { lean } from '../../patterns/lean.js';
import { NAME, type Rule } from './told-rules.js';

const PART_OF_NAME =
  'surname|last name|family name|maiden name|nom de famille|nom de jeune fille|apellidos?|cognome|apelido|sobrenome|achternaam|meisjesnaam|nazwisko|nazwisku|nazwiskiem';
/** German has a capital for each noun: the list of surnames must know it. */
const PART_OF_NAME_DE = 'Nachnamen?|Familiennamen?|Mädchenname|Geburtsname|geborene[rn]?';
const IS = '(?::| is| was| to| est| es| è| é| ist| war| lautet| jest| to)?';
/** Somebody of whom no more is known, up to the last word before the name. */
const CERTAIN = [
  '(?<=(?:un|a|à|par|pour|avec|de|an?|with|by|from|for|een) )(?:certain|certaine|zekere)',
  '(?<=una? )cert[oa]',
  '(?<=uma? )cert[oa]',
  'niejak(?:i|a|iego|iej|iemu|im|ą)',
].join('|');
const DOOR =
  '[Cc]itofon(?:are|a|i|ate|o)(?: a)?|[Ss]uon(?:are|a|i|ate)(?: a| da| al campanello)?|(?:[Bb]uzzer|[Dd]oorbell|[Ii]ntercom)(?: says| reads| marked)|[Ss]onne[rz](?: chez| à)|[Ii]nterphone(?: au nom de)?|[Tt]imbre(?: de| a nombre de)?|[Tt]elefonillo(?: de)?|[Cc]ampainha(?: d[aeo])?|[Aa]anbellen bij|[Dd]eurbel|[Dd]omofon(?: na)?';
const DOOR_DE = '[Kk]lingel(?:n|t)?(?: Sie)?(?: bitte)? bei|[Kk]lingelschild|[Tt]ürschild|[Kk]lingel';
/** Others who open, when one rings, and what else stands there. */
const NO_DOOR_DE =
  'Nachbar|Hausmeister|Familie|Praxis|Pförtner|Pforte|Hausverwaltung|Verwaltung|Büro|Empfang|Rezeption|Wohnung|Bewohner|Mieter|Vermieter|Oma|Opa|Mama|Papa|Concierge|Portier|Firma|Lieferung|Ankunft|Bedarf|Notfall|Tür|Haus';
/** One of a family, behind its surname; of several only where a list has the surname: `the Spice girls`. */
const YOUNG = 'boy|girl|lad|lass|kid|twins|triplets|brothers|sisters|siblings|widow|widower|youngster';
const MORE_YOUNG = 'boys|girls|lads|lasses|kids';
const KIN =
  'hermanos|hermanas|irmãos|irmãs|fratelli|sorelle|frères|sœurs|soeurs|gemelos|gemelas|gemelli|gemelle|gêmeos|gêmeas|jumeaux|jumelles|esposos|esposas|coniugi|époux|gebroeders';

/** What one asks for somebody with, up to the name. */
const ASKED_FOR =
  '[Aa]sk(?:ing|s)? for|[Pp]reguntando por|[Pp]regunt(?:ar|e|en|a|ad) por|[Dd]emande[rz]|[Cc]hieder?e? di|[Cc]hieda di|[Cc]hiedete di|[Pp]ergunt(?:ar|e|em|ando) (?:pel[oa]|por)|[Vv]ra(?:ag|gen) naar|[Pp]yta(?:ć|j|jąc) o|[Ff]rag(?:en|t)? (?:Sie |Sie bitte )?nach';
const PARTY =
  '[Ww]itness|[Cc]laimant|[Dd]efendant|[Pp]laintiff|[Cc]omplainant|[Aa]pplicant|[Ee]mployee|[Tt]enant|[Ll]odger|[Ss]ettlor|[Tt]rustee|[Ee]xecutor|[Zz]eug(?:e|in)|[Kk]läger(?:in)?|[Bb]eklagter?|[Mm]ieter(?:in)?|[Tt]émoin|[Ll]ocataire|[Rr]equérante?|[Tt]estigo|[Ii]nquilin[oa]|[Tt]estimone|[Tt]estemunha|[Gg]etuige|[Hh]uurder|[Śś]wiadek|[Nn]ajemca';
/** The words by which these rules are asked. */
export const LABEL_WORDS =
  'surname|last|family|maiden|apellidos?|cognome|apelido|sobrenome|achternaam|meisjesnaam|nazwisk[ou]|nazwiskiem|nachnamen?|familiennamen?|mädchenname|geburtsname|geborene[rn]?|' +
  'certaine?|zekere|cert[oa]|niejaki|niejaka|niejakiego|niejakiej|niejakiemu|niejakim|niejaką|' +
  'citofon(?:are|a|i|ate|o)|suon(?:are|a|i|ate)|buzzer|doorbell|intercom|sonne[rz]|interphone|timbre|telefonillo|campainha|aanbellen|deurbel|domofon|klingel(?:n|t)?|klingelschild|türschild|' +
  'asks?|asking|preguntando|pregunt(?:ar|e|en|a|ad)|demande[rz]|chiedere?|chieda|chiede|chiedete|pergunt(?:ar|e|em|ando)|vra(?:ag|gen)|pyta(?:ć|j|jąc)|frag(?:en|t)?|let|' +
  `${KIN}|${PARTY}|seu`;
export const YOUNG_WORDS = `${YOUNG}|${MORE_YOUNG}`;

const SAYS =
  'ligou|pediu|disse|falou|avisou|mandou|perguntou|telefonou|respondeu|trabalha|mora|quer|comprou|trouxe|reclamou|pagou|deixou|faleceu|esqueceu';

/** The rules, for a text that has one of `LABEL_WORDS`, whose sign this is. */
export function labelRules(sign: number): Rule[] {
  const told = (pattern: string): Rule => ({
    sign,
    words: sign,
    pattern: lean(pattern, 'uy'),
    overPlace: true,
    overPieces: true,
    isUnknown: true,
  });
  const label = [
    `(?:${PART_OF_NAME}|[Ss]urname|[Aa]pellidos?|[Cc]ognome|[Aa]pelido|[Ss]obrenome|[Aa]chternaam|[Nn]azwisko)${IS}`,
    CERTAIN,
    `(?:${DOOR}):?`,
    `(?:${DOOR_DE}):?(?! (?:${NO_DOOR_DE}))`,
    KIN,
  ].join('|');
  const called = [
    '(?<=(?:^|[^\\p{L}])(?:[Oo]|[Aa]o|[Dd]o|[Pp]elo|e) )seu',
    ASKED_FOR,
    `[Ll]et(?= ${NAME}(?: ${NAME})? (?:know|have)(?!\\p{L}))`,
    `(?:${PARTY})(?= ${NAME} ${NAME})`,
  ].join('|');
  return [
    told(`(?:${label}) (?<name>${NAME}(?: ${NAME}){0,2})(?![\\p{L}-])`),
    { ...told(`(?:${PART_OF_NAME_DE})${IS} (?<name>${NAME})(?![\\p{L}-])`), hasLastName: true },
    { ...told(`(?:${called}) (?<name>${NAME}(?: ${NAME})?)(?![\\p{L}-])`), hasFirstName: true },
    // Mr, in Portuguese: an article and `seu` stand before things, too.
    told(
      `[Ss]eu (?!Cliente|Gerente|Chefe|Banco|Médico|Advogado|Contador|Cartão|Pedido)(?<name>${NAME}(?: ${NAME})?) (?:(?:já|não|me|nos|te|lhe) ){0,2}(?:${SAYS})(?!\\p{L})`,
    ),
  ];
}

/** `the Birtwhistle boy`, for a text that has one of `YOUNG_WORDS`, whose sign this is. */
export function youngRules(sign: number): Rule[] {
  const told = (young: string): Rule => ({
    sign,
    words: sign,
    pattern: lean(
      `(?<=(?<!\\p{L})[Tt]h(?:e|at|ose) (?!Scout|Cub|Guide|Spice|Lego|Beach|Bond)(?<name>(?=\\p{Lu}\\p{L}?['’]?\\p{L}?\\p{Ll})${NAME}) )(?:${young})(?!\\p{L})`,
      'uy',
    ),
    isUnknown: true,
    overPlace: true,
  });
  return [told(YOUNG), { ...told(MORE_YOUNG), hasLastName: true }];
}
