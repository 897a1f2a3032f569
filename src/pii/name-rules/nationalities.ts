/**
 * Nationalities and creeds in small letters, which the model seldom knows: the value of a field (`Nacionalidad: española`,
 * `Religion: römisch-katholisch`), and what somebody is (`o vizinho angolano`, `mój ukraiński sąsiad`).
 */
import { lean } from '../patterns/lean.js';
import { creedSigns } from './creed-signs.js';
import { matchesAtPlaces } from './name-signs.js';

/** Fields that a nationality fills; the first letters of these words are signs. */
const NATION_FIELDS =
  'nationality|citizenship|ethnicity|nacionalidad|ciudadanía|nationalité|citoyenneté|nazionalità|cittadinanza|nacionalidade|cidadania|staatsangehörigkeit|staatsbürgerschaft|nationalität|nationaliteit|staatsburgerschap|narodowość|narodowości|obywatelstwo|obywatelstwa';
const CREED_FIELDS =
  'religion|religious|denomination|religión|confesión|confession|religione|confessione|religião|konfession|religionszugehörigkeit|bekenntnis|religie|godsdienst|gezindte|geloof|wyznanie|religia';
/** How the nationalities of Romance languages begin. */
const ROMANCE =
  'afgan[oae]|afghan[oae]|albanes|albanais|alban[eé]s|aleman|alemã|alemán|allemand|angolan|angolais|angoleñ|argelin|algerin|algérien|argentin|armeni|arménien|australian|australien|austriac|austríac|autrichien|azer[ib]|bangladesí|bengal|bielorrus|biéloruss|bolivian|bolivien|bosniac|bosnien|brasileir|brasileñ|brasilian|brésilien|bulgar|búlgar|camerunes|camerounais|camaronês|canadiens|canadien|canadens|canades|caboverdian|capverdian|cap-verdien|cabo-verdian|chilen|chilien|colombian|colombien|congoleñ|congolais|congoles|corean|coréen|costarricens|croat|cuban|cubain|danes|danés|danois|dominican|dominicain|ecuatorian|équatorien|equatorian|egipci|egizian|égyptien|eritre|érythréen|eslovac|esloven|español|espanhol|espagnol|estadounidens|estoni|estonien|etíop|etiop|éthiopien|filipin|filippin|philippin|finland|finlandais|francés|francesa|frances[ei]|français|gabonais|gambian|gambien|georgian|géorgien|ghanes|ghanéen|gabones|guatemaltec|guineens|guinean|guinéen|haitian|haïtien|holandes|holandés|holandês|hollandais|olandes|néerlandais|neerlandes|hondureñ|hondurien|húngar|hongrois|ungheres|indian[oae]|indien|indonesi|indonésien|inglés|inglesa|ingles[ei]|anglais|irland|irlandais|iraní|iranian|iranien|iraquí|iraquian|irakien|iracheno|israelí|israelian|israélien|italian|italien|ivoirien|ivorian|jamaican|jamaicain|japones|japonés|japonês|japonais|giappones|jordan[oaie]|kenian|keniat|kényan|kosovar|libanes|libanés|libanês|libanais|libi[oa]|libyen|lituan|malgache|malien|malian[oae]|marroqu|marocain|marocchin|mauritan|mexican|mexicain|messican|moldav|moldov|moçambican|mozambiqueñ|mozambican|mozambicain|nepal[ieí]|nepales|népalais|nicaragüens|nigerian|nigérian|nigérien|norueg|norvégien|norveges|pakistan[ieí]|pakistanais|paquistan|palestin|panameñ|paraguay|paraguai|peruan|péruvien|polac[oac]|polon[êa]s|polonais|portugu[eê]s|portugués|portugais|portoghes|puertorriqueñ|romen[oaie]|rumen[oaie]|rumano|rumana|roumain|salvadoreñ|senegales|senegalés|senegalês|sénégalais|serb[oaie]|sirian|syrien|sloven[oaie]|somal[ioíi]|somalien|sudan[eé]s|soudanais|svedes|suédois|srilanqu|surcorean|sudcorean|taiwan|tailand|thaïlandais|thailandes|tunecin|tunisin|tunisian|tunisien|ucranian|ukrainien|ucrain|ugand|uruguay|uruguai|venezolan|venezuelan|vénézuélien|vietnamit|vietnamien';
/** Those that are short, as whole words. */
const SHORT_ROMANCE =
  'chin[oa]s?|cinesi?e?|chinois(?:es?)?|chinês|chinesa|rus[oa]s?|russ[oaei]s?|turc[oa]s?|turque?s?|turchi|turche|grecs?|grecques?|greg[oa]s?|grieg[oa]s?|belg[ae]s?|suiz[oa]s?|suíç[oa]s?|suisses?|svizzer[oaie]|hindú|kurd[oaie]s?|kurdes?|persas?|polac[oa]s?|danes[ei]|gitan[oa]s?|gitane?s?|suec[oa]s?|siri[oa]s?|sirian[oae]';
const POLISH =
  'afgańsk|albańsk|algiersk|amerykańsk|angielsk|arabsk|argentyńsk|armeńsk|austriack|azersk|belgijsk|białorusk|brazylijsk|brytyjsk|bułgarsk|chińsk|chorwack|czeczeńsk|czesk|duńsk|egipsk|estońsk|filipińsk|fińsk|francusk|greck|gruzińsk|hindusk|hiszpańsk|holendersk|indyjsk|irack|irańsk|irlandzk|izraelsk|japońsk|kanadyjsk|kazachsk|koreańsk|kurdyjsk|litewsk|łotewsk|marokańsk|meksykańsk|mołdawsk|nepalsk|niemieck|nigeryjsk|norwesk|pakistańsk|polsk|portugalsk|rosyjsk|rumuńsk|serbsk|słowack|słoweńsk|syryjsk|szkock|szwajcarsk|szwedzk|tadżyck|tunezyjsk|tureck|ukraińsk|uzbeck|węgiersk|wietnamsk|włosk';

const NATION_FIELD = lean(
  `(?<![\\p{L}_])(?<field>${NATION_FIELDS})(?<sign>(?: ?\\([^)\\n]{0,12}\\))?["']? {0,2}[:=] {0,4}["']?| (?:is |ist |es |est |è |é )?)(?<value>(?:[a-zà-ž]{3,14} )?[a-zà-ž][a-zà-ž-]{2,24})(?![\\p{L}\\p{N}_(]|\\.\\p{L})`,
  'iuy',
);
/** How a nationality ends, in eight languages. */
const NATION =
  /(?:[aiou]an|ish|ese|[aei]i|qi|ni|french|swiss|dutch|welsh|scots|greek|thai|czech|turk|ense|[aeiou][nñ][oa]|eñ[oa]|[iu]ne|[éê]s|[eê]sa|esi|ñol[ae]?|nhol[ae]?|gnole?|í|[ao]ise?|ienne?|iens?|aine?|isch(?:e[rn]?)?|deutsch(?:e[rn]?)?|sche?|aanse?|[nlrd]se?|[sc]k(?:i|a|ie|iej|iego)|rus[oa]|russ[eao]|turc[oa]|turque|grec|grecque|gre[cg][oa]|grieg[oa]|belg[ae]|polac[oa]|polacc[oa]|ind[iu][oa]|suiz[oa]|suíç[oa]|suisse|svizzer[oa]|kurd[oae]|siri[oa]|serb[oaes]|croat[oae]|eslovac[oa]|slov\p{Ll}{2,5}|[bú]lgar[oae]|bulgar[oae]|romen[oa]|rumen[oa]|moldav[oae]|ucrain[oa]|persa|vietnamita|keniota|etíope|cipriota)$/u;
const NO_NATION =
  /^(?:yes|no|non?e|unknown|other|same|pending|required|optional|string|text|null|verify|confirm|matters|missing|sin|siehe|wie|keine?|unbekannt|nicht|ungeklärt|geklärt|otra|ninguna|desconocida|misma|doble|inconnue|aucune|autre|même|altra|nessuna|sconosciuta|doppia|outra|nenhuma|dupla|desconhecida|geen|andere|onbekend|inne|brak|nieznane|podwójne|doppelte|also|then|issues?|documents?|question|questions|status|laws?|papers|change|changes|discrimination|applications?|requirements?|certificate|tests?|his|whose|this|has|was|is|ist|es|een|plus|plan|mean|means|can|than|human|son|van|den|gesehen|prüfen|angeben|fehlen|haben|werden|eines?|seines?)$/u;
const CREED =
  'catholic|roman catholic|protestant|muslim|islam|hindu|sikh|jewish|christian|buddhist|anglican|methodist|baptist|orthodox|mormon|evangelical|pentecostal|atheist|agnostic|(?:römisch|griechisch|alt|syrisch)-(?:katholisch|orthodox)|katholisch|evangelisch(?:-(?:lutherisch|reformiert|methodistisch))?|protestantisch|reformiert|muslimisch|islamisch|jüdisch|israelitisch|orthodox|buddhistisch|hinduistisch|alevitisch|christlich|sunnitisch|schiitisch|católic[oa]|evangélic[oa]|musulm[aá]n[ao]?|judí[oa]|budista|hindú|cristian[oa]|ortodox[oa]|protestante|ate[oa]|agnóstic[oa]|catholique|protestante?|musulmane?|juive|juif|bouddhiste|hindoue?|orthodoxe|évangélique|chrétienne?|athée|cattolic[oa]|musulman[oa]|ebraica|ebre[oa]|buddista|ortodoss[oa]|cristiana|evangelic[oa]|valdese|muçulman[oa]|judaica|judeu|judia|espírita|umbandista|adventista|cristã(?:o)?|katholiek|rooms-katholiek|protestants|hervormd|gereformeerd|moslim|islamitisch|joods|boeddhistisch|hindoeïstisch|rzymskokatolicki[ea]?|rzymsko-katolicki[ea]?|katolicki[ea]?|prawosławn[ea]|protestancki[ea]?|muzułmański[ea]?|żydowski[ea]?|mojżeszowe|buddyjski[ea]?|ewangelicki[ea]?|greckokatolicki[ea]?';
const CREED_FIELD = lean(
  `(?<![\\p{L}_])(?:${CREED_FIELDS})(?: (?:or belief|affiliation|belief))?["']? {0,2}[:=] {0,4}["']?(?<value>${CREED})(?![\\p{L}-])`,
  'iuy',
);
/** Nouns for somebody before an adjective. */
const SOMEBODY =
  'vecin[oa]s?|compañer[oa]s?|novi[oa]|amig[oa]s?|colegas?|suegr[oa]|cuñad[oa]|señora?|chic[oa]s?|hombre|mujer|niñ[oa]s?|fam[ií]lias?|pareja|cuidadora?|niñera|limpiadora|camarer[oa]|albañil(?:es)?|obrer[oa]s?|fontanero|conductora?|taxista|refugiad[oa]s?|ciudadan[oa]s?|migrantes?|jugadora?|dueñ[oa]|estudiantes?|alumn[oa]s?|médic[oa]|doctora?|enfermer[oa]|cociner[oa]|profesora?|marido|espos[oa]|inquilin[oa]s?|pacientes?|clientes?|emplead[oa]s?|jef[ea]|vizinh[oa]s?|namorad[oa]|moç[oa]|rapaz|senhora?|menin[oa]s?|empregad[oa]|patrão|patroa|casal|faxineira|pedreiro|motorista|cidadãos?|cidadã|estudantes?|alun[oa]s?|enfermeir[oa]|cozinheir[oa]|professora?|doentes?|badant[ei]|ragazz[oaie]|fidanzat[oa]|signor[aei]?|uomo|donna|bambin[oaie]|famiglia|operai[oa]?|murator[ei]|coppia|colf|compagn[oa]|cittadin[oaie]|pazient[ei]|clienti?|studente|studentessa|studenti|vicin[oaie]|collega|colleghi|amic[oa]|amici|medico|infermier[ea]|cuoc[oa]|marito|moglie|rifugiat[oaie]|étudiante?s?|élèves?|voisine?s?|collègues?|amie?s?|médecin|infirmi(?:er|ère)|cuisini(?:er|ère)|professeure?|mari|femmes?|homme|compagn(?:on|e)|locataires?|chauffeur|stagiaire|copain|copine|dame|monsieur|familles?|enfants?|garçon|fille|ouvriers?|ouvrière|plombier|nounou|patiente?s?|couple|citoyen(?:ne)?s?|réfugiée?s?|cousine?';
const IS = 'soy|somos|sou|sono|siamo|je suis|nous sommes|él es|ella es|ele é|ela é|lui è|lei è|elle est';
const OF_ROMANCE = lean(
  `(?<![\\p{L}\\p{M}])(?:(?:${ROMANCE})\\p{Ll}{0,6}|${SHORT_ROMANCE})(?![\\p{L}-])`,
  'uy',
);
const BEHIND_SOMEBODY = lean(`(?<![\\p{L}])(?:${SOMEBODY}|${IS}) $`, 'iu');
const SOMEBODY_UNITS = 20;
/** German ones without their ending, as the model has read few. */
const GERMAN =
  'afghani|ägypti|albani|algeri|angolani|äthiopi|armeni|aserbaidschani|bengali|bosni|brasiliani|bulgari|chileni|chinesi|eritrei|estni|georgi|ghanai|indi|indonesi|iraki|irani|ivori|japani|kameruni|kasachi|keniani|kolumbiani|kongolesi|koreani|kosovari|kroati|kubani|kurdi|letti|libanesi|liby|litaui|maltesi|marokkani|mazedoni|mexikani|moldawi|mongoli|nepalesi|nigeriani|pakistani|palästinensi|peruani|philippini|polni|rumäni|russi|senegalesi|serbi|slowaki|sloweni|somali|sudanesi|syri|thailändi|togoi|togolesi|tschecheni|tschechi|tunesi|türki|ugandi|ukraini|ungari|usbeki|venezolani|vietnamesi|weißrussi|belarussi';
const GERMAN_SOMEBODY =
  'kolleg|nachbar|arzt|ärzt|pfleger|student|schüler|freund|mann|frau|mitbewohner|mieter|vermieter|chef|fahrer|koch|köchin|friseur|trainer|familie|kind|junge|mädchen|eltern|vater|mutter|bekannt|patient|kund|lehrer|professor|ingenieur|handwerker|putzfrau|putzhilfe|spieler|staatsbürger|staatsangehörig|flüchtling|ehe|herkunft|verlobt|partner|bauarbeiter|kellner|praktikant|azubi';
const OF_GERMAN = lean(
  `(?<![\\p{L}])(?:${GERMAN})sche[rnms]?(?= (?:${GERMAN_SOMEBODY})\\p{Ll}{0,10}(?!\\p{L}))`,
  'iuy',
);
/** English ones in small letters: `my polish builder`. */
const ENGLISH =
  'polish|turkish|danish|spanish|finnish|swedish|irish|scottish|welsh|british|french|dutch|greek|thai|czech|german|chinese|japanese|portuguese|vietnamese|nepalese|lebanese|sudanese|senegalese|maltese|romanian|bulgarian|hungarian|ukrainian|russian|lithuanian|latvian|estonian|albanian|serbian|croatian|bosnian|italian|brazilian|colombian|peruvian|chilean|mexican|cuban|jamaican|nigerian|ghanaian|kenyan|ethiopian|eritrean|somali|moroccan|tunisian|algerian|egyptian|syrian|iraqi|iranian|afghan|pakistani|indian|bangladeshi|filipino|filipina|indonesian|malaysian|korean|australian|canadian|american';
const ENGLISH_SOMEBODY =
  'man|woman|guy|lady|bloke|girl|boy|lad|lass|kid|builder|plumber|cleaner|neighbou?r|colleague|coworker|mate|friend|boyfriend|girlfriend|husband|wife|nurse|doctor|carer|nanny|au pair|student|tenant|landlord|landlady|flatmate|roommate|housemate|driver|teacher|tutor|barber|hairdresser|electrician|painter|couple|family|parents|mum|mother|dad|father|grandmother|grandfather|gran|nan|uncle|aunt|cousin|boss|manager|chef|waiter|waitress|passport holder|citizen|national|refugee|immigrant|client|customer|patient';
const OF_ENGLISH = lean(
  `(?<=(?<![\\p{L}])(?:[Mm]y|[Oo]ur|[Yy]our|[Hh]is|[Hh]er|[Tt]heir|[Aa]n?|[Tt]he|[Tt]h(?:is|at)|some|another|one|two|nice|old|young|elderly|new) )(?:${ENGLISH})(?= (?:${ENGLISH_SOMEBODY})s?(?![\\p{L}-]))`,
  'uy',
);
const POLISH_SOMEBODY =
  'sąsiad|koleg|koleżan|student|pracowni|kierow|lekar|pielęgniar|opiekun|dziewczyn|chłopa|rodzin|uchodź|obywatel|kobiet|mężczyz|klient|pacjent|żon|męż|mąż|budowla|robotni|nian|szef|narzeczon|przyjaci|uczni|uczeń|uczenni|nauczyciel|piłkarz|kucharz|księdz|ksiądz';
const OF_POLISH = lean(
  `(?<![\\p{L}])(?:${POLISH})(?:i|a|ą|im|iego|iej|iemu|ich|imi|y)(?= (?:${POLISH_SOMEBODY})\\p{Ll}{0,8}(?!\\p{L}))`,
  'uy',
);

/** Words that a text must have for any of these rules. */
export const NATION_SIGNS = `${NATION_FIELDS}|${CREED_FIELDS}|${ROMANCE}|${SHORT_ROMANCE}|${POLISH}|${GERMAN}|${ENGLISH}`;

const HAS_NATION_FIELD = creedSigns.add(NATION_FIELDS);
const HAS_CREED_FIELD = creedSigns.add(CREED_FIELDS);
const HAS_ROMANCE = creedSigns.add(`${ROMANCE}|${SHORT_ROMANCE}`);
const HAS_BEFORE_SOMEBODY = creedSigns.add(`${POLISH}|${GERMAN}|${ENGLISH}`);

type Report = (start: number, end: number) => void;

/** Reports the nationalities and creeds of [from, to), which `creedSigns` was asked for last. */
export function smallNations(text: string, from: number, to: number, report: Report): void {
  const piece = text.slice(from, to);
  const matches = (pattern: RegExp, sign: number) =>
    matchesAtPlaces(pattern, creedSigns.placesOf(sign), piece, from);
  for (const { index, 0: whole, groups } of matches(NATION_FIELD, HAS_NATION_FIELD)) {
    const value = nationIn(groups!.value!, /[:=]/.test(groups!.sign!));
    const start = from + index + whole.length - groups!.value!.length;
    if (value !== undefined) report(start, start + value.length);
  }
  for (const { index, 0: whole, groups } of matches(CREED_FIELD, HAS_CREED_FIELD))
    report(from + index + whole.length - groups!.value!.length, from + index + whole.length);
  for (const { index, 0: whole } of matches(OF_ROMANCE, HAS_ROMANCE)) {
    const start = from + index;
    if (BEHIND_SOMEBODY.test(text.slice(Math.max(0, start - SOMEBODY_UNITS), start)))
      report(start, start + whole.length);
  }
  for (const pattern of [OF_POLISH, OF_GERMAN, OF_ENGLISH]) {
    for (const { index, 0: whole } of matches(pattern, HAS_BEFORE_SOMEBODY))
      report(from + index, from + index + whole.length);
  }
}

/** `white british` is one whole, and of `española soltera` the first word; without a colon it is in small letters. */
function nationIn(value: string, hasColon: boolean): string | undefined {
  if (!hasColon && value !== value.toLowerCase()) return undefined;
  const [first, second] = value.toLowerCase().split(' ');
  if (isNation(first!)) return value.slice(0, first!.length);
  if (second === undefined || NO_NATION.test(first!) || !isNation(second)) return undefined;
  return hasColon ? value : undefined;
}

function isNation(word: string): boolean {
  return NATION.test(word) && !NO_NATION.test(word);
}
