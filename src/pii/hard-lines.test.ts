/**
 * Lines of the kinds that were missed once, written for this test: three times 40 lines with 100 spans. Of each hundred
 * at most 6 may be missed, and at most 3 findings may be false. The second and third hundred were written before the
 * detector had seen any of them.
 */
import { expect, it } from 'vitest';
import { createDetector } from './index.js';

/** Spans stand as `[TYPE:text]`; `language>` begins a line that is not English. */
const FIRST = [
  'hey its [PERSON:monica] from [LOCATION:denver], can you call [PERSON:steve] back?',
  'my boss [PERSON:rajesh kumar] lives in [LOCATION:mumbai] and hates mondays',
  'thx! [PERSON:julia] said [PERSON:tom] is moving to [LOCATION:portland] [DATE_TIME:in june|june]',
  'Founders: [PERSON:Lindqvist], [PERSON:Okafor] and [PERSON:Brennan].',
  'Attendees: [PERSON:Whitfield], [PERSON:Tanaka], [PERSON:Moreau], [PERSON:Haddad], [PERSON:Sorensen]',
  '[PERSON:Delgado] lives next to the station in [LOCATION:Tucson], [PERSON:Maya] in [LOCATION:Phoenix].',
  '[PERSON:Fiona] lives with [PERSON:Patrick Nolan] near [LOCATION:Galway].',
  'Name (last, first): [PERSON:Kowalczyk, Marta]',
  "[PERSON:O'Reilly, Siobhan]; [PERSON:D'Angelo, Marco]; [PERSON:Keller, Jonas]",
  "INSERT INTO staff (id, name, town) VALUES (7, '[PERSON:Hannah Pritchard]', '[LOCATION:Leeds]');",
  "SELECT * FROM clients WHERE full_name = '[PERSON:Diego Fuentes]' AND city = '[LOCATION:Valencia]';",
  'id,name,city,mail\n1,[PERSON:Peter Novak],[LOCATION:Prague],[EMAIL_ADDRESS:p.novak@example.org]\n2,[PERSON:Ingrid Larsen],[LOCATION:Oslo],[EMAIL_ADDRESS:ingrid@example.net]\n3,[PERSON:Laura Conti],[LOCATION:Bologna],[EMAIL_ADDRESS:laura@example.com]',
  '{"customer": "[PERSON:Amelia Hartmann]", "city": "[LOCATION:Dresden]", "active": true}',
  'const owner = { name: "[PERSON:Sergei Volkov]", town: "[LOCATION:Riga]" };',
  '# reported by [PERSON:Naomi Feldman], see the log',
  '[PERSON:Rene\u0301 Lefe\u0300vre] and [PERSON:Zoe\u0308 Brandt] met in [LOCATION:Liège].',
  '[PERSON:Nguyễn Văn Minh] and [PERSON:Chidinma Eze] work in [LOCATION:Nairobi].',
  'Ask [PERSON:Yuki Nakamura] or [PERSON:Aarav Deshpande] about it.',
  'Please forward it to [PERSON:Oluwaseun Adeyemi] and [PERSON:Fatima Al-Sayed].',
  'write to [EMAIL_ADDRESS:maria dot keller at example dot org] or [EMAIL_ADDRESS:sam.lee [at] example [dot] net]',
  'link: user=[EMAIL_ADDRESS:otto%40example.org]&x=1, or [EMAIL_ADDRESS:eva(at)example.com]',
  'my ssn is [US_SSN:414228731], his social is [US_SSN:509-187342]',
  'DNI [ES_NIF:4532178M]',
  'We talked on [DATE_TIME:Thursday] and again [DATE_TIME:on the ninth of October|ninth of October].',
  'He was born in [DATE_TIME:1962] in [LOCATION:Boston] and retired on [DATE_TIME:30/11].',
  'She taught there from [DATE_TIME:1987 to 1994], then left on [DATE_TIME:the third of July 1995|third of July 1995].',
  '[DATE_TIME:2025-02-11T08:14:55.201-05:00] WARN login of [PERSON:Teresa Caldwell] from [IP_ADDRESS:203.0.113.44] failed',
  '[IP_ADDRESS:198.51.100.7] - - [DATE_TIME:04/Mar/2024:09:12:33 +0100] "GET /a HTTP/1.1" 200',
  'Ship to:\n[LOCATION:48 Birchwood Avenue\nSpringfield]',
  'I moved to [LOCATION:17 Harbour Street, Bristol BS1 4QA] in [DATE_TIME:August].',
  'The office in [LOCATION:MANCHESTER] closes, the one in [LOCATION:BILBAO] stays.',
  'Η [PERSON:Ελένη Παπαδοπούλου] μένει στην [LOCATION:Αθήνα].',
  '[PERSON:Наталья Соколова] и [PERSON:Иван Петров] живут в [LOCATION:Москве].',
  'Morgan Stanley and Goldman Sachs hired [PERSON:Derek Olsen].',
  'Mark the box, grant the right, and bill us in [DATE_TIME:April] or May; the rose is red.',
  'Please mark this as done and chase the invoice, [PERSON:Grant Holloway] will sign it.',
  'de>[PERSON:Jürgen Wahl] wohnt seit [DATE_TIME:Montag] in [LOCATION:Kassel], [PERSON:Anke] auch.',
  'fr>[PERSON:Mathilde Roux] habite à [LOCATION:Nantes] depuis [DATE_TIME:le cinq mars 2011|cinq mars 2011].',
  'es>[PERSON:Lucía Ortega] vive en [LOCATION:Zaragoza] y nació el [DATE_TIME:doce de enero de 1980].',
  'pl>[PERSON:Katarzyna Zielińska] mieszka w [LOCATION:Gdańsku].',
];

const SECOND = [
  'ok so [PERSON:dmitri] and [PERSON:fatima] are both out on [DATE_TIME:Tuesday], can [PERSON:joel] cover?',
  'tell [PERSON:hannah brooks] her refund went to [EMAIL_ADDRESS:hannah.brooks84@example.net]',
  'Reviewers: [PERSON:Okonkwo], [PERSON:Lindqvist], [PERSON:Barreto] and [PERSON:Yamashita]',
  'Committee members: [PERSON:Hargreaves]; [PERSON:Delacroix]; [PERSON:Novotny].',
  '[PERSON:Siobhan] lives two doors down from Mr. [PERSON:Pemberton], who retired in [DATE_TIME:2014].',
  "Signed in as [PERSON:O'Sullivan, Maeve] at reception desk B.",
  "INSERT INTO patients (full_name, town, email) VALUES ('[PERSON:Ingrid Haugen]', '[LOCATION:Bergen]', '[EMAIL_ADDRESS:ingrid.haugen@example.org]');",
  "UPDATE customers SET last_name = '[PERSON:Abernathy]', city = '[LOCATION:Leeds]' WHERE id = 4471;",
  "SELECT * FROM staff WHERE manager = '[PERSON:Kwame Boateng]' AND hired > '[DATE_TIME:2019-03-01]';",
  'id,first_name,last_name,city,phone\n17,[PERSON:Noor],[PERSON:Rahimi],[LOCATION:Utrecht],[PHONE_NUMBER:+31 20 555 0199]\n18,[PERSON:Callum],[PERSON:Fraser],[LOCATION:Inverness],[PHONE_NUMBER:+44 1463 960123]',
  'fr>Ce dossier concerne [PERSON:Rene\u0301e Lefe\u0300vre], ne\u0301e a\u0300 [LOCATION:Besanc\u0327on].',
  'Please forward this to [PERSON:Zoe\u0308 Mu\u0308ller] in [LOCATION:Du\u0308sseldorf].',
  '[PERSON:Nguyễn Thị Lan] will meet [PERSON:Adebayo Ogunleye] in [LOCATION:Hanoi] on [DATE_TIME:3 March].',
  'The account belongs to [PERSON:Siti Nurhaliza binti Rahman], a resident of [LOCATION:Penang].',
  '[PERSON:Park Ji-hoon] and [PERSON:Ngozi Balogun] signed the lease for [LOCATION:48 Orchard Lane\nTauranga 3110\nNew Zealand]',
  'you can reach me at [EMAIL_ADDRESS:laura dot winters at example dot org] any time',
  'write to [EMAIL_ADDRESS:support.anna [at] example [dot] com] or to [EMAIL_ADDRESS:k.olsen(at)example.net]',
  'GET /unsubscribe?u=[EMAIL_ADDRESS:petra.novak%40example.com]&list=7 HTTP/1.1',
  'my social security number is [US_SSN:536221904] and I was born in [DATE_TIME:1987]',
  'employee [PERSON:Odalys Ferrer], SSN [US_SSN:536-221904], desk 14',
  'es>Mi DNI es [ES_NIF:2345678T] y vivo en [LOCATION:Salamanca] desde [DATE_TIME:2009].',
  'The hearing took place on [DATE_TIME:the twenty-third of May 2018|twenty-third of May 2018] and resumed on [DATE_TIME:2 July].',
  'Rent is due on [DATE_TIME:01/04]; the contract, signed in [DATE_TIME:2016], ends on [DATE_TIME:14.02.2027].',
  '[DATE_TIME:2026-03-14T07:22:31.482+02:00] INFO login ok user="[PERSON:Esther Mbeki]" ip=[IP_ADDRESS:10.44.7.19] port=8443 pid=31337',
  '[IP_ADDRESS:10.44.7.20] - - [[DATE_TIME:14/Mar/2026:07:22:31 +0200]] "GET /health HTTP/1.1" 200 512',
  'Since [DATE_TIME:2011] the shop has opened in [DATE_TIME:March]; this season starts on [DATE_TIME:Monday].',
  'Our office moved to [LOCATION:221 Harbour Street, Cork T12 X8K4], next to the pharmacy of [PERSON:Declan Moriarty].',
  'fr>Livraison au [LOCATION:17 rue des Tilleuls, 69003 Lyon] avant le [DATE_TIME:5 juin 2026].',
  'de>Bitte an [PERSON:Jürgen Wessel], [LOCATION:Lindenallee 9, 04109 Leipzig] senden, Rückruf unter [PHONE_NUMBER:+49 341 5550 187].',
  'FLIGHT FROM [LOCATION:LISBON] TO [LOCATION:MARSEILLE] FOR [PERSON:HENRIETTA VOSS]',
  'Ο [PERSON:Νίκος Δημητρίου] μένει στη [LOCATION:Θεσσαλονίκη].',
  '[PERSON:Алексей Смирнов] переехал из [LOCATION:Новосибирска] в [LOCATION:Москву].',
  'Wells Fargo and Goldman Sachs raised rates; please bill Ernst & Young, mark the file and grant them access.',
  'std::vector<int>::iterator it; // ::: section ::: build 4.2.1, port 9090, pid 31337, licence number OAE4421',
  'if user is None: return True  # order AB1234567 shipped, ticket 88-4421, see utils.py and self.name',
  'Will [PERSON:Grant Okafor] mark the exam? [PERSON:Rose] said that [PERSON:April Jennings] already did.',
  '{"customer": {"name": "[PERSON:Bartholomew Quill]", "city": "[LOCATION:Ljubljana]", "active": true, "sha": "9f86d081884c7d65"}}',
  'it>Mi chiamo [PERSON:Giulia Marchetti], abito a [LOCATION:Bologna] e sono nata il [DATE_TIME:12 agosto 1991].',
  'pl>Nazywam się [PERSON:Katarzyna Nowicka] i mieszkam w [LOCATION:Krakowie], mój kolega [PERSON:Tomasz Zieliński] w [LOCATION:Gdańsku].',
  'nl>Mijn naam is [PERSON:Sanne de Vries] en ik woon in [LOCATION:Groningen]; [PERSON:Pieter Bakker] belt op [DATE_TIME:12 mei 2026].',
];

const THIRD = [
  'sup, [PERSON:gregor] here, is [PERSON:annika] still stuck in [LOCATION:helsinki] or back already?',
  'can u ask [PERSON:mehmet yilmaz] if he got my mail? [PERSON:beatrice] never answers',
  'lol my neighbour [PERSON:wendy] just moved to [LOCATION:seattle], she starts on [DATE_TIME:Wednesday]',
  'Speakers: [PERSON:Castellano], [PERSON:Achterberg], [PERSON:Nakagawa]',
  'Participants: [PERSON:Rutherford], [PERSON:Szymanski] and [PERSON:Villanueva]; no minutes.',
  'Present were [PERSON:Ms. Kapoor|Kapoor] and [PERSON:Mr. Trevelyan|Trevelyan].',
  '[PERSON:Oyelaran, Folake]; [PERSON:McAllister, Ewan]; [PERSON:Vandenberg, Lotte]',
  "INSERT INTO members (first_name, last_name, city) VALUES ('[PERSON:Marisol]', '[PERSON:Quintero]', '[LOCATION:Medellín]'), ('[PERSON:Edwin]', '[PERSON:Thackeray]', '[LOCATION:Norwich]');",
  "DELETE FROM contacts WHERE name = '[PERSON:Rosalind Achebe]' OR email = '[EMAIL_ADDRESS:r.achebe@example.org]';",
  'name;city;birthday\n[PERSON:Hendrik Vos];[LOCATION:Antwerp];[DATE_TIME:17.09.1973]\n[PERSON:Camila Restrepo];[LOCATION:Bogotá];[DATE_TIME:02.01.1990]',
  'order_id,customer,town\n88123,[PERSON:Tobias Engström],[LOCATION:Malmö]\n88124,[PERSON:Priya Raghunathan],[LOCATION:Chennai]',
  'fr>Rendez-vous avec [PERSON:He\u0301le\u0300ne Be\u0301rard] a\u0300 [LOCATION:Orle\u0301ans].',
  'de>Frau [PERSON:Kro\u0308ger] aus [LOCATION:Lu\u0308beck] bittet um Ru\u0308ckruf.',
  '[PERSON:Phạm Quốc Bảo] shares a flat with [PERSON:Emeka Nwosu] in [LOCATION:Kuala Lumpur].',
  '[PERSON:Kim Min-seo] and [PERSON:Li Xiaoming] asked [PERSON:Babajide Akinwale] to sign.',
  'The tenant, [PERSON:Lakshmi Venkataraman], pays [PERSON:Abdulrahman Al-Qahtani] every month.',
  'drop me a line: [EMAIL_ADDRESS:nora underscore beck at example dot com] or [EMAIL_ADDRESS:t.hughes AT example DOT org]',
  'contact = [EMAIL_ADDRESS:jonas{at}example{dot}net]; fallback [EMAIL_ADDRESS:lena[at]example[dot]org]',
  '<a href="mailto:[EMAIL_ADDRESS:bruno%40example.net]">write to us</a>',
  'His SSN: [US_SSN:523118476]. Hers is a social security no. [US_SSN:602-339158].',
  'es>El titular, con DNI [ES_NIF:8765432V], nació en [LOCATION:Cáceres] en [DATE_TIME:1971].',
  'We signed [DATE_TIME:on the fourteenth of February 2020|fourteenth of February 2020|the fourteenth of February 2020] and meet again next [DATE_TIME:Tuesday|next Tuesday].',
  'She graduated in [DATE_TIME:2008], the exam is due on [DATE_TIME:22/06].',
  'de>Geboren am [DATE_TIME:dritten März 1958], in Rente seit [DATE_TIME:2021], Termin am [DATE_TIME:Donnerstag].',
  '[DATE_TIME:2023-11-05 23:59:58.004 +0530] ERROR mail to [EMAIL_ADDRESS:gita@example.in] bounced, host [IP_ADDRESS:192.0.2.81]',
  'Deliver to:\n[PERSON:Cordelia Ashworth]\n[LOCATION:7 Kingfisher Close\nHereford HR4 9TT]',
  'nl>Wij wonen op [LOCATION:Prinsengracht 412, 1016 JC Amsterdam], bel [PERSON:Femke Hoekstra].',
  'Billing address: [LOCATION:1190 Sycamore Lane, Apt 4B, Madison, WI 53703].',
  'ALL STAFF FROM [LOCATION:ROTTERDAM] AND [LOCATION:GLASGOW] REPORT TO [PERSON:GWENDOLYN PRICE]',
  'Ο [PERSON:Γιώργος Νικολάου] δουλεύει στην [LOCATION:Πάτρα], η [PERSON:Μαρία Αντωνίου] στο [LOCATION:Ηράκλειο].',
  '[PERSON:Ольга Кузнецова] живёт в [LOCATION:Санкт-Петербурге], а [PERSON:Дмитрий Попов] в [LOCATION:Казани].',
  'JPMorgan Chase, Johnson & Johnson and Marks & Spencer all declined; [PERSON:Ulrike Baumann] did not.',
  'Will you chase the invoice, rob the cookie jar and pat the dog? Frank answers only, says [PERSON:Bill Hathaway].',
  'May I ask [PERSON:June Whitaker] to mark it up before [DATE_TIME:August]? Hope and joy are nouns here.',
  'def charge(self, amount=None):  # asked for by [PERSON:Terrence Obi]\n    return self.client.post(url, json={"ok": True})',
  'kubectl get pods -n prod | grep Running  # uid 1000, port 6443, sha256:9b1c0d2f, v1.29.3',
  'WARN [worker-3] retry=2 user="[PERSON:Yvonne Castillo]" city="[LOCATION:Oaxaca]" build=20.11.4 pid=4071 port=5432',
  '{"assignee": {"displayName": "[PERSON:Matteo Ferraro]", "town": "[LOCATION:Trieste]"}, "enabled": false, "rev": "c0ffee12"}',
  'pt>O meu nome é [PERSON:Joana Figueiredo] e moro em [LOCATION:Coimbra] desde [DATE_TIME:2015].',
  'it>Spedire a [PERSON:Lorenzo Galli], [LOCATION:Via Garibaldi 23, 10122 Torino], entro [DATE_TIME:il 4 maggio|4 maggio].',
];

interface Gold {
  type: string;
  start: number;
  /** The text, or the two that are both right. */
  texts: string[];
}

function parse(marked: string): { text: string; language: string; gold: Gold[] } {
  const [, language = 'en', line = ''] = /^(?:([a-z]{2})>)?([\s\S]*)$/.exec(marked)!;
  const gold: Gold[] = [];
  let text = '';
  let at = 0;
  for (const match of line.matchAll(/\[([A-Z_]+):((?:[^[\]]|\[\w+\])+)\]/g)) {
    text += line.slice(at, match.index);
    const texts = match[2]!.split('|');
    gold.push({ type: match[1]!, start: text.length, texts });
    text += texts[0];
    at = match.index + match[0].length;
  }
  return { text: text + line.slice(at), language, gold };
}

/** More than half of both in common. */
function areAlike(gold: Gold, start: number, end: number): boolean {
  return gold.texts.some((one) => {
    const from = gold.start + gold.texts[0]!.indexOf(one);
    const common = Math.min(end, from + one.length) - Math.max(start, from);
    return common * 2 >= Math.max(end, from + one.length) - Math.min(start, from);
  });
}

it.each([
  ['first', FIRST],
  ['second', SECOND],
  ['third', THIRD],
])('of the %s 100 spans in 40 lines at most 6 are missed and at most 3 findings are false', (_, lines) => {
  const missed: string[] = [];
  const wrong: string[] = [];
  let count = 0;
  for (const { text, language, gold } of lines.map(parse)) {
    const found = createDetector({ language }).detectSync(text);
    const isMatch = (one: Gold, f: (typeof found)[number]) =>
      f.entityType === one.type && areAlike(one, f.start, f.end);
    count += gold.length;
    for (const one of gold)
      if (!found.some((f) => isMatch(one, f))) missed.push(`${one.type} ${one.texts[0]}`);
    for (const f of found)
      if (!gold.some((one) => isMatch(one, f))) wrong.push(`${f.entityType} ${text.slice(f.start, f.end)}`);
  }
  expect(lines).toHaveLength(40);
  expect(count).toBe(100);
  expect(missed.length, `missed: ${missed.join('; ')}`).toBeLessThanOrEqual(6);
  expect(wrong.length, `false: ${wrong.join('; ')}`).toBeLessThanOrEqual(3);
});
