/** Words that begin sentences, and the meetings of offices: with a capital for that alone, they are no names. */
import { firstWords, wordsOf } from '../words-beside.js';

/** Articles, pronouns, prepositions, conjunctions, auxiliary verbs and adverbs of eight languages. */
const CLOSED = new Set(
  (
    'The A An This That These Those It He She We You They I My Your His Her Our Their Who What When Where Why How Which Whose Is Are Was Were Be Do Does Did Has Have Had Can Could Will Would Shall Should May Might Must ' +
    'If Unless Because Since Although Though While Whereas But And Or So Yet Nor Not No Yes For From To In On At By With Without About After Before During Until Till Of Off Over Under Between Through Into Onto As Than Then There Here Now Today Tomorrow Yesterday Also Just Only Even Still Once Every Each All Any Some Both Neither Either Several Many Much More Most Few Please Maybe Perhaps Let ' +
    'Der Die Das Den Dem Des Ein Eine Einen Einem Einer Eines Dieser Diese Dieses Er Sie Es Wir Ihr Ich Du Mein Meine Dein Sein Seine Unser Unsere Wer Was Wann Wo Warum Wie Welche Welcher Ist Sind War Waren Hat Haben Hatte Kann Können Könnte Könnten Wird Werden Würde Soll Sollte Muss Müssen Darf Möchte Wenn Weil Ob Dass Aber Und Oder Sondern Denn Nicht Kein Keine Ja Nein Für Von Vom Zu Zum Zur Im Ins Am An Auf Bei Beim Mit Ohne Über Unter Nach Vor Seit Bis Durch Gegen Um Aus Als Dann Da Dort Hier Jetzt Heute Morgen Gestern Auch Nur Noch Schon Bitte Vielleicht Alle Alles Jeder Jede Man ' +
    'Le La Les Un Une Des Du Au Aux Ce Cet Cette Ces Il Elle On Nous Vous Ils Elles Je Tu Mon Ma Mes Ton Ta Tes Son Sa Ses Notre Votre Leur Qui Que Quoi Quand Où Pourquoi Comment Quel Quelle Est Sont Était Étaient Peut Peux Pouvez Pouvons Doit Devez Avez Avons Faut Si Parce Mais Et Ou Donc Car Ni Ne Pas Non Oui Pour De Dans Sur Sous Avec Sans Chez Par Vers Après Avant Pendant Depuis Entre Comme Alors Ici Là Maintenant Demain Hier Aussi Merci Voici Voilà Tout Tous Toute Toutes Chaque ' +
    'El Los Las Uno Una Unos Unas Este Esta Estos Estas Ese Esa Yo Tú Usted Ustedes Nosotros Ellos Ellas Mi Mis Su Sus Nuestro Nuestra Quién Qué Cuándo Dónde Cómo Cuál Es Son Era Eran Está Están Fue Fueron Ha Han Hay Puede Puedes Puedo Pueden Podemos Debe Tiene Tengo Tienen Porque Pero Y O Ni Sí Por Para Con Sin Sobre Desde Hasta En Entre Tras Según Como Cuando Donde Entonces Aquí Allí Ahora Hoy Mañana Ayer También Solo Ya Todo Todos Toda Todas Cada Gracias ' +
    'Lo Gli Uno Questo Questa Questi Queste Quello Quella Io Lui Lei Noi Voi Loro Mio Mia Tuo Tua Suo Sua Nostro Nostra Chi Che Cosa Quando Dove Perché Come Quale Sono Erano Ho Hai Abbiamo Hanno Può Posso Possiamo Puoi Deve Devo Se Ma Anche Per Di Con Senza Su Tra Fra Nel Nella Nei Dal Dalla Al Alla Del Della Dopo Prima Durante Fino Allora Qui Adesso Oggi Domani Ieri Solo Già Tutto Tutti Ogni Grazie ' +
    'Os As Um Uma Uns Umas Este Isto Esse Essa Isso Aquele Aquela Eu Ele Ela Nós Vós Eles Elas Você Vocês Meu Minha Teu Tua Seu Nosso Nossa Quem Onde Porque Porquê Como Qual É São Foi Foram Está Estão Tem Têm Tenho Há Pode Posso Podem Podemos Deve Mas E Nem Não Sim Pra Com Sem Sobre Até Em No Na Nos Nas Do Da Dos Das Pelo Pela Depois Antes Então Aqui Ali Agora Hoje Amanhã Ontem Também Só Já Tudo Cada Obrigado Obrigada ' +
    'De Het Een Dit Dat Deze Die Hij Zij Ze Wij We Jij Je Jullie Ik Mijn Jouw Zijn Haar Ons Onze Hun Wie Wat Wanneer Waar Waarom Hoe Welke Is Was Waren Heeft Heb Hebben Had Kan Kun Kunt Kunnen Kunnen Zou Zouden Zal Zullen Wil Wilt Willen Moet Moeten Mag Mogen Als Omdat Of Maar En Want Niet Geen Ja Nee Voor Van Naar In Op Bij Met Zonder Over Onder Na Sinds Tot Door Tegen Om Uit Toen Dan Daar Hier Nu Vandaag Morgen Gisteren Ook Alleen Nog Graag Misschien Alle Alles Ieder Iedereen Er ' +
    'Ten Ta To Te Ci Ja Ty On Ona Ono My Wy Oni One Mój Moja Moje Twój Jego Jej Nasz Nasza Ich Kto Co Kiedy Gdzie Dlaczego Jak Który Która Jest Są Był Była Byli Było Ma Mam Mają Może Mogę Czy Jeśli Jeżeli Bo Ponieważ Ale I Oraz Lub Albo Nie Tak Dla Od Do Z Ze Za W We Na Po Pod Nad Przy Przed Przez Bez Między Więc Tu Tam Teraz Dziś Dzisiaj Jutro Wczoraj Też Także Tylko Już Jeszcze Proszę Wszystko Wszyscy Każdy ' +
    'Sonnez Sonner Klingeln Klingel Citofonare Suonare Aanbellen Fico Aguardo Agradeço Agradecia Peço Gostaria Queria Preciso Espero Quedo Ruego Resto Attendo Ringrazio Escribo Escrevo Scrivo Confirmo Envio Envío Adjunto ' +
    'Relu Vu Lu Revu Reçu Envoyé Validé Testé Vérifié Corrigé Discuté Noté Appelé Rappelé Signé Payé Fini Terminé Fait Refait Déplacé Reporté Annulé Ajouté Supprimé Traité Transmis Répondu Parlé Passé Visto Leído Hecho Enviado Recibido Revisado Hablado Firmado Pagado Probado Anulado Letto Fatto Inviato Ricevuto Rivisto Parlato Firmato Pagato Provato Annullato Feito Revisto Recebido Falado Assinado Pago Gelesen Gesehen Erledigt Geprüft Gesendet Bezahlt Besprochen Telefoniert Gesprochen Gezien Gelezen Gedaan Verstuurd Betaald Besproken'
  ).split(' '),
);
/** What offices do and talk of, and what errors begin with. */
const OFFICE =
  /^(?:Stand-?up|Quorum|Parish|Kwota|Betrag|Montant|Importe|Importo|Bedrag|Retro|Retrospective|Sprint|Demo|Onboarding|Kick-?off|Off-?site|Deploy|Deployment|Rollout|Rollback|Hotfix|Backlog|Refinement|Grooming|Handover|Payroll|Helpdesk|Checkout|Signup|Login|Logout|Webinar|Workshop|Townhall|Hackathon|Daily|Weekly|Planning|Roadmap|Release|Standby|Carpool|Lunch|Brunch|Dinner|Breakfast|Laundry|Parking|Delivery|Pickup|Refund|Invoice|Warranty|Rent|Reminder|Update|Agenda|Minutes|Attachment|Feedback|Newsletter|Homework|Gym|Yoga|Pilates|Training|Rota|Roster|Timetable|Menu|Karaoke|Potluck|Raffle|Choir|Rehearsal|Fout|Regel|Fehler|Zeile|Erreur|Ligne|Errore|Riga|Erro|Linha|Línea|Błąd|Wiersz)$/u;
const HAS_OFFICE = firstWords.add(wordsOf(OFFICE));
const IS_CLOSED = firstWords.bit();
firstWords.addNames(CLOSED, IS_CLOSED);
const SENTENCE_START = /(?:^|[.!?…:\n¿¡"“„«*•>-]["'”»)]?\s*|[¿¡"“„«])$/u;

/** Whether the name at `start` is a word that begins a sentence. */
export function isFirstWord(text: string, start: number, end: number): boolean {
  const lists = firstWords.at(text, start);
  if ((lists & (IS_CLOSED | HAS_OFFICE)) === 0) return false;
  const found = text.slice(start, end);
  // `Will will look`: nobody says the same verb twice.
  if (text.startsWith(` ${found.toLowerCase()} `, end)) return false;
  if (!CLOSED.has(found) && ((lists & HAS_OFFICE) === 0 || !OFFICE.test(found))) return false;
  return (
    SENTENCE_START.test(text.slice(Math.max(0, start - 4), start)) &&
    /^[ ,']\p{Ll}|^ \d/u.test(text.slice(end, end + 2))
  );
}
