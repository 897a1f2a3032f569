/** What stands near telephone numbers: words for telephones, and what people say of theirs. */
import { ContextWords } from '../context-words.js';

const ENGLISH =
  'phone|phones|phone number|telephone|tel|cell|cellphone|mobile|mob|call|calls|called|calling|fax|contact|text|texted|sms|whatsapp|reach|ring|dial|desk|office|landline|hotline|answering|registered phone|phone no|direct line|my line|our line|direct dial|direct number|phone line|ext|switchboard|ring me|ring us|reach me|reach us|reach him|reach her|text me|call back|call me back|buzz|rng|get hold of|give me a bell|give us a bell|a shout on';
const GERMAN =
  'telefon|telefonisch|telefonnummer|handy|handynummer|mobil|mobilnummer|anrufen|anruf|anrufe|ruf|rufe|rufen|ruft|rufnummer|erreichbar|erreichen mich|erreichen uns|erreichst mich|erreichst du mich|erreicht mich|erreicht ihr mich|mich erreichen|uns erreichen|mich zu erreichen|uns zu erreichen|zu erreichen unter|meldet euch|melden sie sich|meld dich|melde dich|durchwahl|rückruf|rückrufnummer|zurückrufen|zurückzurufen|mein nummer|meine nummer|kontakt';
const FRENCH =
  'téléphone|téléphones|téléphoner|téléphonez|tél|portable|joignable|ligne directe|joindre|numéro de tél|mon numéro|notre numéro|texto|message au|contactez';
const SPANISH =
  'teléfono|teléfonos|telefonillo|tfno|tlf|tlfno|móvil|móviles|celular|cel|mi fijo|el fijo|teléfono fijo|wasap|wasape|guasap|whats|extensión|línea directa|localizar|localizarme|mi número|nuestro número|marque el|marca el|marcar el|marcad el|mensaje al|contacto';
const ITALIAN =
  'telefono|telefonico|telefonici|cellulare|cell|recapito|linea diretta|reperibile|trovate|mi trovi|mi trovate|ci trovi|trovarmi|il mio numero|nostro numero|messaggio al|messaggi al|numero verde';
const PORTUGUESE =
  'telefone|tlm|telefones|telemóvel|telemóveis|fone|zap|zapzap|whats|wpp|zapp|celular|ligar|ligue|ligue para|linha direta|me liga|liga no|liga para|me liguem|me chama no|meu número|meu numero|nosso número|mensagem para o|contato|contacto';
const DUTCH =
  'telefoon|telefoonnummer|telefonisch|mobiel|mobieltje|bel|bellen|belt|gebeld|bel me|bel mij|bel ons|bereikbaar|ons bereiken|mij bereiken|me bereiken|bereikt ons|bereik je me|te bereiken|doorkiesnummer|mijn nummer|app me|appen';
const POLISH =
  'telefon|telefonu|telefonicznie|tel|kom|komórka|komórkę|komórkowy|dzwonić|zadzwonić|zadzwoń|zadzwońcie|dzwoń|dzwońcie|oddzwonić|oddzwoń|numer telefonu|bezpośredni numer|moj nr|mój nr|moj numer|mój numer|infolinia|kontakt';
const GREEK =
  'τηλέφωνο|τηλέφωνό|τηλ|τηλεφωνήστε|τηλεφώνησε|κινητό|κινητού|καλέστε|κάλεσε|πάρτε με|πάρε με|σταθερό';
const CYRILLIC =
  'телефон|телефона|телефону|телефоне|тел|моб|мобильный|мобільний|мобилен|позвоните|позвони|звоните|звони|позвонить|перезвоните|перезвоните мне|перезвони|мой номер|мій номер|номер мой|зателефонуйте|телефонуйте|подзвоніть|дзвоніть|обадете|обадете се|обади се|звъннете|ватсап|вайбер|вотсап|позовите|мобилни';

/** In scripts without blanks between words these stand beside any other letters. */
const ASIAN =
  '电话|電話|手机|手機|联系方式|聯絡|联系电话|携帯|連絡先|전화|전화번호|휴대폰|핸드폰|연락처|โทร|โทรศัพท์|เบอร์|มือถือ|điện thoại|sđt|telepon|nomor hp';
const OTHERS =
  'هاتف|جوال|موبايل|تلفن|اتصل|טלפון|נייד|फोन|मोबाइल|telefonu|cep|puhelin|telefonszám|mobilnummer|telefonnummer|mobiltelefon';

/** Who is asked to call, as part of the verb: `richiamatemi`, `llámanos`, `rappelez-moi`. */
const withPronouns = (verbs: string, pronouns: string) =>
  verbs.split('|').flatMap((verb) => pronouns.split('|').map((pronoun) => verb + pronoun));
const TO_CALL = [
  ...withPronouns(
    'chiama|chiamate|richiama|richiamate|contatta|contattate|telefona|telefonate|scrivi|scrivete|chiamar|richiamar|contattar|telefonar',
    '|mi|ci|lo|la|li|e',
  ),
  'chiami',
  'mi chiami',
  'richiami',
  ...withPronouns(
    'llama|llame|llamen|llamad|llamar|lláma|lláme|llámen|telefonea|escríbe|escríba|contácta|contácte|contactar|avisar|avísa',
    '|me|nos|lo|la|le|les',
  ),
  ...withPronouns(
    'appeler|appelez|appelle|rappeler|rappelez|rappelle|joignez|joins',
    '|-moi|-nous|-le|-la|-les',
  ),
  ...withPronouns('liga|ligue|liguem|ligar|contacte|contactem', '|-me|-nos|-lhe'),
];

export const PHONE_WORDS = new ContextWords([
  ...new Set([
    ...[
      ENGLISH,
      GERMAN,
      FRENCH,
      SPANISH,
      ITALIAN,
      PORTUGUESE,
      DUTCH,
      POLISH,
      GREEK,
      CYRILLIC,
      ASIAN,
      OTHERS,
    ].flatMap((words) => words.split('|')),
    ...TO_CALL,
  ]),
]);
