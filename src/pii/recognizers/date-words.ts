/** Months, days of the month and years as words, in English, Spanish, German, French, Italian, Dutch, Portuguese and Polish: sources of patterns. */

export const MONTHS =
  'january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec|' +
  'enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|setiembre|octubre|noviembre|diciembre|ene|abr|ago|dic|' +
  'januar|jänner|februar|märz|mai|juni|juli|oktober|dezember|okt|dez|mär|' +
  'janvier|février|fevrier|mars|avril|juin|juillet|août|aout|septembre|octobre|novembre|décembre|decembre|janv|févr|juil|déc|' +
  'gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|gen|mag|giu|lug|ott|' +
  'januari|februari|maart|mei|augustus|' +
  'janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|' +
  'stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia|' +
  'styczniu|lutym|marcu|kwietniu|maju|czerwcu|lipcu|sierpniu|wrześniu|październiku|listopadzie|grudniu|' +
  'styczeń|luty|marzec|kwiecień|maj|czerwiec|lipiec|sierpień|wrzesień|październik|listopad|grudzień';

const ENGLISH_ORDINALS =
  'first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thirteenth|fourteenth|fifteenth|sixteenth|' +
  'seventeenth|eighteenth|nineteenth|twentieth|thirtieth';
export const ORDINALS = `(?:twenty|thirty)[- ](?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|${ENGLISH_ORDINALS}`;
const GERMAN_DAYS =
  '(?:(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und)?(?:zwanzig|dreißig)ste[nr]?|' +
  '(?:ers|zwei|drit|vier|fünf|sechs|sieb|ach|neun|zehn|elf|zwölf|dreizehn|vierzehn|fünfzehn|sechzehn|siebzehn|achtzehn|neunzehn)te[nr]?';
const SPANISH_DAYS =
  'primero|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieciséis|diecisiete|dieciocho|diecinueve|' +
  'veint(?:e|iuno|iún|idós|itrés|icuatro|icinco|iséis|isiete|iocho|inueve)|treinta(?: y uno)?';
const FRENCH_DAYS =
  'premier|deux|trois|quatre|cinq|six|sept|huit|neuf|dix(?:-(?:sept|huit|neuf))?|onze|douze|treize|quatorze|quinze|seize|' +
  'vingt(?:[- ]et[- ]un|[- ](?:deux|trois|quatre|cinq|six|sept|huit|neuf))?|trente(?:[- ]et[- ]un)?';
const ITALIAN_DAYS =
  'primo|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|tredici|quattordici|quindici|sedici|diciassette|diciotto|diciannove|' +
  'vent(?:i|uno|idue|itré|iquattro|icinque|isei|isette|otto|inove)|trent(?:a|uno)';
const PORTUGUESE_DAYS =
  'primeiro|um|dois|três|quatro|oito|dez|quatorze|catorze|dez[ae]sseis|dez[ae]ssete|dezoito|dez[ae]nove|' +
  '(?:vinte|trinta)(?: e (?:um|dois|três|quatro|cinco|seis|sete|oito|nove))?';
const DUTCH_DAYS =
  '(?:eer|ach|(?:(?:een|twee|drie|vier|vijf|zes|zeven|acht|negen)(?:en|ën))?(?:twintig|dertig))ste|' +
  '(?:(?:een|twee|drie|vier|vijf|zes|zeven|acht|negen)(?:en|ën))(?:twintig|dertig)|' +
  '(?:twee|der|vier|vijf|zes|zeven|negen|tien|elf|twaalf|dertien|veertien|vijftien|zestien|zeventien|achttien|negentien)de';
const POLISH_ORDINALS =
  'pierwszego|drugiego|trzeciego|czwartego|piątego|szóstego|siódmego|ósmego|dziewiątego|dziesiątego';
const POLISH_DAYS = `(?:dwudziestego|trzydziestego)(?: (?:${POLISH_ORDINALS}))?|(?:jede|dwu|trzy|czter|pięt|szes|siedem|osiem|dziewięt)nastego|${POLISH_ORDINALS}`;

export const DAY_WORDS = [
  ORDINALS,
  GERMAN_DAYS,
  SPANISH_DAYS,
  FRENCH_DAYS,
  ITALIAN_DAYS,
  PORTUGUESE_DAYS,
  DUTCH_DAYS,
  POLISH_DAYS,
].join('|');

const UNITS = '(?:one|two|three|four|five|six|seven|eight|nine)';
const TEENS = '(?:ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen)';
const TENS = `(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)(?:[- ]${UNITS})?`;
const ENGLISH_YEARS =
  `(?:seventeen|eighteen|nineteen|twenty)[- ](?:hundred(?: and (?:${TENS}|${TEENS}|${UNITS}))?|oh[- ]${UNITS}|${TEENS}|${TENS})|` +
  `two thousand(?:,? (?:and )?(?:${TENS}|${TEENS}|${UNITS}))`;
/** One word more than a year has: V8 writes the code of what is repeated up to three times anew for each time. */
const SPANISH_NUMBERS =
  '(?: (?:y|uno|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieci\\p{Ll}{3,6}|veint\\p{Ll}{1,8}|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa)(?!\\p{L})){0,4}';
const FRENCH_NUMBERS =
  '(?:[- ](?:et|une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingts?|trente|quarante|cinquante|soixante)(?!\\p{L})){0,5}';
const PORTUGUESE_NUMBERS =
  '(?:(?: e)? (?:um|dois|três|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|treze|catorze|quatorze|quinze|dez\\p{Ll}{4,7}|vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa)(?!\\p{L})){0,4}';
/** Years as words that nothing else is said with. */
export const SPELLED_YEARS = [
  ENGLISH_YEARS,
  '(?:achtzehn|neunzehn|zwanzig)hundert\\p{Ll}{0,24}|zweitausend(?:und)?\\p{Ll}{3,20}',
  `(?:mil (?:ochocientos|novecientos)|dos mil)${SPANISH_NUMBERS}`,
  `(?:mil(?:le)? (?:huit|neuf)[- ]cents?|deux[- ]mille)${FRENCH_NUMBERS}`,
  '(?:mille(?:ottocento|novecento)|duemila)\\p{Ll}{0,20}',
  `(?:mil (?:e )?(?:oitocentos|novecentos)|dois mil)${PORTUGUESE_NUMBERS}`,
].join('|');
/** One of these is in each of them. */
export const SPELLED_YEAR_SIGN = /seventeen|eighteen|nineteen|twenty|thousand|hundert|tausend|mil/;
/** Of these, those that are years where no month stands before them. */
export const LONE_SPELLED_YEARS =
  `(?:eighteen|nineteen) (?:hundred and |oh[- ])?(?:${TENS}|${TEENS}|${UNITS})(?! (?:thousand|hundred|percent|per cent|years|days|hours|minutes|people|miles|dollars|euros|pounds)(?!\\p{L}))|` +
  `neunzehnhundert\\p{Ll}{3,24}|mil novecientos${SPANISH_NUMBERS}|mil(?:le)? neuf[- ]cents?${FRENCH_NUMBERS}|millenovecento\\p{Ll}{3,20}|mil novecentos${PORTUGUESE_NUMBERS}`;

/** Months of Russian, Ukrainian, Bulgarian and Greek, as they stand behind a day. */
export const MONTHS_OF_OTHER_SCRIPTS =
  'января|февраля|марта|апреля|мая|июня|июля|августа|сентября|октября|ноября|декабря|' +
  'січня|лютого|березня|квітня|травня|червня|липня|серпня|вересня|жовтня|листопада|грудня|' +
  'януари|февруари|март|април|май|юни|юли|август|септември|октомври|ноември|декември|' +
  'Ιανουαρίου|Φεβρουαρίου|Μαρτίου|Απριλίου|Μαΐου|Ιουνίου|Ιουλίου|Αυγούστου|Σεπτεμβρίου|Οκτωβρίου|Νοεμβρίου|Δεκεμβρίου';
