/** Creeds and nations that the model knows little of: somebody's where a word for people, or a number of them, says so. */

import type { NameSpan } from '../name-span.js';
import { lean } from '../patterns/lean.js';
import { matchesOf } from '../patterns/matches-of.js';
import { creedSigns } from './creed-signs.js';
import { matchesAtPlaces, nameSigns } from './name-signs.js';
import { NATION_SIGNS, smallNations } from './nationalities.js';
import { withNames } from './with-names.js';

const TOLD = 0.6;
/** Nothing else is called so. */
const WITNESSES =
  "Jehovah[’']?s Witness(?:es)?|Latter[- ]day Saints?|Zeug(?:en?|in|innen) Jehovas|témoins? de Jéhovah|testigos? de Jehová|testimon[ei] di Geova|testemunhas? de Jeová|Jehova[’']?s? getuigen?|[śs](?:wiad(?:ek|kiem|ka|kowie|ków|kami|kom)) Jehowy";
/** In small letters and of more than one: `are quakers ok with raffles?` */
const SMALL_CREEDS =
  'quakers|muslims|hindus|sikhs|jews|christians|catholics|protestants|buddhists|mormons|methodists|baptists|anglicans|lutherans|presbyterians|pentecostals|evangelicals|shiites|sunnis|musulmanes|judíos|muçulmanos|judeus|musulmans|musulmanes|juifs|musulmani|ebrei|muzułmanie|katolicy|żydzi|protestanci|moslims|katholieken|joden|boeddhisten|hindoes';
const CREEDS =
  "Hindus?|Sikhs?|Muslims?|Buddhists?|Catholics?|Protestants?|Quakers?|Amish|Hasidic|Haredim?|Sephardi[cm]?|Ashkenazi[cm]?|Evangelicals?|Unitarians?|Wahhabis?|Salafis?|Sufis?|Taoists?|Daoists?|Shintoists?|Maronites?|Assyrians?|Rohingya|Uyghurs?|Uighurs?|Tamils?|Pashtuns?|Berbers?|Tuaregs?|Jains?|Bah[aá][’'][ií]s?|Bah[aá]ist?|Sunnis?|Sunnites?|Shi[’']?as?|Shiites?|Schiiten?|Sunniten?|Alevis?|Aleviten?|Druze|Mormon(?:s|en|in|e)?|Methodists?|Mennonites?|Mennoniten?|Hutterites?|Zoroastrians?|Parsis?|Yazidis?|Jesid(?:en?|in)|Copts?|Coptic|Calvinists?|Rastafarians?|Wiccans?|Ahmadis?|Alawites?|Ismailis?|Pentecostals?|Adventists?|Baptists?|Anglicans?|Presbyterians?|Lutherans?|Kurds?|Kurd(?:en?|in|innen)|Vlaming(?:en)?|Vlaamse|Bra[sz]iliaanse?|Brazilianen|Marokkaanse?|Marokkanen|Surinamers?|Antillianen|Turken|Grieken|Polen|Roemenen|Syriërs?|Oekraïners?|Oekraïense?|Portugezen|Spanjaard(?:en)?|Fransman|Fransen|Duitsers?|Engelsen|Zweden|Denen|Russen|Ukrai[nń](?:iec|ka|ców|cy|cem|ki|cami)|Niem(?:iec|ka|ców|cy|ką|cem)|Czech|Cze(?:si|chów|szka|szkę|szki)|Włoch(?:ów|em)?|Włos(?:i|zka|zką)|Rosjan(?:in|ie|ka|kę)?|Białorusin(?:i|ka|em|ów)?|Słowa(?:k|cy|czka|ków)|Hiszpan(?:ie|ka|ów|em)?|Francuz(?:i|ka|ów|em)?|Anglik(?:ów|iem)?|Polak(?:iem|ów)?|Polacy|Polk[aąi]|Wietnam(?:czyk|ka|czyków)|Gruzin(?:i|ka|em|ów)?";
/** Parties, that are words for other things, too. */
const PARTIES =
  'Greens|Liberals|Conservatives|Tories|Labour|Socialists|Nationalists|Communists|Republicans|Democrats|Centrists|(?:Social|Christian|Liberal|Free) Democrats?|Lib Dems|Grünen?|Sozialdemokraten|Christdemokraten|Liberalen?|Sozialisten|Verts|Socialistes|Républicains|Communistes|Verdes|Socialistas|Conservadores|Comunistas|Liberales';
/** What members of parliaments and councils are, behind the word for them: `los concejales socialistas`. */
const POLITICIANS =
  'concejal(?:es)?|diputad[oa]s?|senador(?:a|es|as)?|alcalde(?:sa)?|militantes|députée?s?|élue?s|sénateurs?|conseillers|électeurs|deputati|deputato|senatori|consiglieri|deputad[oa]s|vereador(?:es|a)?|Abgeordnete[nr]?';
const LEANING = lean(
  `(?<=(?<!\\p{L})(?:${POLITICIANS}) )(?:socialist[aei]s?|comunist[aei]s?|communistes?|conservador(?:es|as?)?|liberale?s?|écologistes?|ecologistas?|republican[oai]s?|républicaine?s?|nacionalistas?|nationalistes?|independentistas?|populares|verdes|verts)(?!\\p{L})`,
  'gu',
);
/** Those that are no beginnings of frequent words: most texts have one of these, too. */
const SOME_PARTIES =
  'Greens|Conservatives|Socialists|Republicans|Nationalists|Liberal|Liberals|Tories|Labour|Democrats|Lib|Grünen?|Verts';
const WITNESS_SIGNS =
  'Jehovah|Jehovas?|Latter|Zeug(?:en?|in)|témoins?|testigos?|testimon[ei]|testemunhas?|świad(?:ek|kiem|ka|kowie|ków)';
const LARGE_CREEDS = `${CREEDS}|${SOME_PARTIES}|${POLITICIANS}`;
const HAS_CREED = nameSigns.add(`${LARGE_CREEDS}|${SMALL_CREEDS}|${NATION_SIGNS}|${WITNESS_SIGNS}`);
const HAS_LARGE_CREED = creedSigns.add(LARGE_CREEDS);
const HAS_SMALL_CREED = creedSigns.add(SMALL_CREEDS);
const HAS_WITNESS = creedSigns.add(WITNESS_SIGNS);
/** Countries, too. */
const COUNTRY = /^(?:Polen|Zweden|Denen|Czech|Włochem)$/u;
const PEOPLE =
  'people|person|family|families|man|men|woman|women|boys?|girls?|child(?:ren)?|couple|pupils?|students?|teachers?|volunteers?|nurses?|nuns?|monks?|ministers?|priests?|clerics?|pastors?|preachers?|bishops?|imams?|rabbis?|farmers?|drivers?|dispatchers?|workers?|colleagues?|neighbou?rs?|friends?|wife|husband|mother|father|parents?|brothers?|sisters?|grand\\p{Ll}+|roommates?|flatmates?|patients?|residents?|elders?|missionar(?:y|ies)|congregations?|communit(?:y|ies)|neighbou?rhoods?|choirs?|charit(?:y|ies)|parish(?:es)?|church(?:es)?|temples?|mosques?|meetings?|schools?|weddings?|funerals?|burials?|holidays?|festivals?|centres?|centers?|villages?|refugees?|migrants?|candidates?|voters?|activists?|leaders?|scholars?|guests?|tenants?|customers?|clients?|faith|background|upbringing|heritage|origin|descent|tradition|beliefs?|by|and|or|cafés?|restaurants?|food|cheese|buurvrouw|buurman|man|vrouw|collega|vriend(?:in)?|arts|Arzt|Ärztin|Familie|Frau|Mann|Nachbar(?:in)?';
const PEOPLE_BEHIND = lean(`^(?: and \\p{Lu}\\p{L}+)? (?:\\p{Ll}+ )?(?:${PEOPLE})(?!\\p{L})`, 'u');
const COUNTED = lean(
  /(?<!\p{L})(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,3}|some|many|several|both|twee|drie|vier|vijf|zes|paar|veel|zwei|drei|vier|fünf|einige|viele) $/u,
);
/** `he is a`, or more than one of a kind. */
const BEFORE = lean(
  /(?<!\p{L})(?:few|most|other|fellow|devout|practising|practicing|(?:is|was|are|were|am|'m|’m|'re|'s|be|been|being|became|as|raised|born|grew up)(?: an?| also| both| not| all)?|a lapsed|andere|is(?: een)?|zijn|was(?: een)?|dwóch|trzech|czterech|dwie|dwa|trzy|cztery|kilku|kilka|jedna|jeden|jest|są|był|była|to|ist|sind|war|waren|jako) $/u,
);
/** `Quaker and Amish`. */
const BESIDE = lean(
  `^(?:,| and| or| und| en| i) (?:a |an )?(?:${CREEDS}|Buddhist|Muslim|Catholic|Jewish|Hindu|Sikh)(?!\\p{L})`,
  'u',
);
const BEHIND_ONE = lean(
  `(?:${CREEDS}|Buddhist|Muslim|Catholic|Jewish|Hindu|Sikh)s?(?:,| and| or| und| en| i) (?:an? |jed\\p{Ll}+ )?$`,
  'u',
);
const WITNESS = lean(`(?<![\\p{L}\\p{M}])(?:${WITNESSES})(?![\\p{L}\\p{M}])`, 'iuy');
const SMALL_CREED = lean(`(?<![\\p{L}\\p{M}@#/._-])(?:${SMALL_CREEDS})(?![\\p{L}\\p{M}/_-])`, 'uy');
const CREED = lean(`(?<![\\p{L}\\p{M}\\d-])(?:${CREEDS})(?![\\p{L}\\p{M}-]| \\p{Lu})`, 'gu');
const PARTY = lean(
  `(?<![\\p{L}\\p{M}\\d-])(?:${PARTIES})(?<!Labour(?! (?:won|lost|gained|held|leads|voters?|and|or|has|had)(?!\\p{L})|[,.;)]))(?![\\p{L}\\p{M}-]| \\p{Lu})`,
  'gu',
);
/** What is said of parties. */
const OF_PARTIES = lean(
  /(?<!\p{L})(?:vot(?:e[sd]?|ing|ers?)|governments?|ministers?|abstain\p{Ll}*|walked out|opposition|cabinet|ballots?|seats?|elect(?:ed|ions?)|council|councillors?|parliament|senate|coalition|members? of the|joined the|candidates?|MPs|Wahl|gewählt|Stimmen|Sitze|Koalition|voté|sièges|élus|escaños|votos|votó|coalición)(?!\p{L})/iu,
);
const PARTY_UNITS = 120;
const NEAR_UNITS = 40;

/** `spans` with the creeds and nations of people in [from, to); both in order. `signs`: what `nameSigns` has there. */
export function addCreeds(
  text: string,
  from: number,
  to: number,
  spans: readonly NameSpan[],
  signs: number,
): readonly NameSpan[] {
  if ((signs & HAS_CREED) === 0) return spans;
  const creeds = creedSigns.atPlaces(text, nameSigns.placesOf(HAS_CREED));
  if (creeds === 0) return spans;
  const piece = text.slice(from, to);
  const added: NameSpan[] = [];
  const isTaken = (start: number, end: number) =>
    spans.some(
      (span) =>
        span.start < end &&
        span.end > start &&
        (span.type === 'NRP' || span.start < start || span.end > end) &&
        span.score >= TOLD,
    );
  const addAll = (found: Iterable<RegExpExecArray>, isTold: (start: number, end: number) => boolean) => {
    for (const { index, 0: whole } of found) {
      const start = from + index;
      const end = start + whole.length;
      if (!isTaken(start, end) && isTold(start, end)) added.push({ type: 'NRP', start, end, score: TOLD });
    }
  };
  const at = (pattern: RegExp, sign: number) =>
    matchesAtPlaces(pattern, creedSigns.placesOf(sign), piece, from);
  addAll(at(WITNESS, HAS_WITNESS), () => true);
  addAll(at(SMALL_CREED, HAS_SMALL_CREED), () => true);
  smallNations(text, from, to, (start, end) => {
    const isWhole = spans.some(
      (one) => one.type === 'NRP' && one.start <= start && one.end >= end && one.score >= TOLD,
    );
    if (!isWhole) added.push({ type: 'NRP', start, end, score: TOLD });
  });
  if ((creeds & HAS_LARGE_CREED) !== 0) {
    addAll(matchesOf(piece, CREED), (start, end) => isOfPeople(text, start, end));
    addAll(matchesOf(piece, LEANING), () => true);
    addAll(matchesOf(piece, PARTY), (start, end) => isOfParties(text, from, start, end));
  }
  return withNames(spans, added);
}

/** Whether a vote or a council is spoken of, before it in the text or behind. */
function isOfParties(text: string, from: number, start: number, end: number): boolean {
  return (
    OF_PARTIES.test(text.slice(Math.max(from, start - PARTY_UNITS), start)) ||
    OF_PARTIES.test(text.slice(end, end + PARTY_UNITS))
  );
}

function isOfPeople(text: string, start: number, end: number): boolean {
  const found = text.slice(start, end);
  const before = text.slice(Math.max(0, start - NEAR_UNITS), start);
  const after = text.slice(end, end + NEAR_UNITS);
  if (COUNTED.test(before)) return !COUNTRY.test(found) || !/\d $/.test(before);
  if (COUNTRY.test(found)) return false;
  return BEFORE.test(before) || PEOPLE_BEHIND.test(after) || BESIDE.test(after) || BEHIND_ONE.test(before);
}
