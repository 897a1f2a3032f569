/**
 * Twenty lines each in Portuguese, Dutch and Polish, which have no name model of their own. How many spans were missed
 * at first is told in docs/pii.md.
 */
import { expect, it } from 'vitest';
import { scoreMarked } from '../../test/support/marked-lines.js';

const LINES = [
  'pt>Olá, chamo-me [PERSON:Inês Carvalho] e vivo em [LOCATION:Setúbal] desde [DATE_TIME:2016].',
  'pt>O Sr. [PERSON:Almeida] ligou ontem; a Sra. [PERSON:Lourenço] liga amanhã.',
  'pt>Nasci no dia [DATE_TIME:23 de agosto de 1990] em [LOCATION:Viseu].',
  'pt>A morada é [LOCATION:Avenida da Liberdade 245, 1250-143 Lisboa].',
  'pt>Moro na [LOCATION:Rua Augusta, 1500, São Paulo], apartamento 12.',
  'pt>Meu nome é [PERSON:João Batista], CPF anexo, telefone [PHONE_NUMBER:+55 11 91234-5678].',
  'pt>A reunião é na [DATE_TIME:quinta-feira] com [PERSON:Rodrigo Teixeira].',
  'pt>Dona [PERSON:Conceição] mora em [LOCATION:Recife] com o filho [PERSON:Thiago].',
  'pt>Contrato válido de [DATE_TIME:1 de março de 2024] até [DATE_TIME:31 de dezembro de 2025].',
  'pt>o [PERSON:miguel] disse que a [PERSON:catarina] vai a [LOCATION:coimbra] em [DATE_TIME:setembro]',
  'pt>Prezado Dr. [PERSON:Henrique Azevedo], segue o relatório.',
  'pt>Atenciosamente,\n[PERSON:Luciana Moreira]',
  'pt>Autora: [PERSON:Fernanda Pacheco]; revisores: [PERSON:Vasconcelos] e [PERSON:Brandão].',
  'pt>O pedido 20394 chega em maio, versão 3.1, sem falta.',
  'pt>Comprei um Mercedes na Volkswagen e falei com o Banco Santander.',
  'pt>Viajo de [LOCATION:Lisboa] para o [LOCATION:Rio de Janeiro] em [DATE_TIME:05/07/2026].',
  'pt>Encontrei a [PERSON:Mariana Duarte] em [LOCATION:Évora] na [DATE_TIME:segunda-feira].',
  'pt>Senhor [PERSON:Nogueira], o seu processo foi aceite.',
  'pt>O meu irmão [PERSON:Duarte] trabalha em [LOCATION:Aveiro].',
  'pt>Ela casou em [DATE_TIME:1998] com [PERSON:Paulo Ribeiro].',
  'nl>Mijn naam is [PERSON:Jeroen Bakker] en ik woon in [LOCATION:Utrecht].',
  'nl>Mevrouw [PERSON:Hendriks] belde over de rekening van [DATE_TIME:12 maart 2025].',
  'nl>Geachte heer [PERSON:Van den Berg], hierbij de offerte.',
  'nl>Ons adres: [LOCATION:Prins Hendrikkade 33, 1012 TM Amsterdam].',
  'nl>Ik ben geboren op [DATE_TIME:4 januari 1983] in [LOCATION:Groningen].',
  'nl>[PERSON:Femke] en [PERSON:Daan] komen op [DATE_TIME:vrijdag] naar [LOCATION:Leiden].',
  'nl>Dhr. [PERSON:Smits] verhuist naar de [LOCATION:Dorpsstraat 14, 3512 AB Utrecht].',
  'nl>Sinds [DATE_TIME:2014] werkt [PERSON:Anouk Visser] bij Philips.',
  'nl>hoi, met [PERSON:sanne], kun je [PERSON:bram] vragen of hij in [LOCATION:rotterdam] is?',
  'nl>Bel [PERSON:Pieter de Vries] op [PHONE_NUMBER:+31 6 12345678].',
  'nl>De vergadering is verplaatst van [DATE_TIME:maandag 3 juni] naar [DATE_TIME:woensdag 5 juni].',
  'nl>Mijn zus [PERSON:Marieke] woont aan de [LOCATION:Oudegracht 112].',
  'nl>Deelnemers: [PERSON:Kuipers], [PERSON:Dekker] en [PERSON:Mulder].',
  'nl>Met vriendelijke groet,\n[PERSON:Wouter Jansen]',
  'nl>De bestelling 48812 kost 1999 euro en versie 2.4 draait op poort 8080.',
  'nl>Albert Heijn en Jumbo verlagen de prijzen, zegt de Rabobank.',
  'nl>Ze trouwde in [DATE_TIME:2007] met [PERSON:Ruben Koster] in [LOCATION:Den Haag].',
  'nl>Ik heet [PERSON:Lotte Vermeulen], mail: [EMAIL_ADDRESS:lotte@example.nl].',
  'nl>Tot [DATE_TIME:31 december] is [PERSON:Joost] met verlof.',
  'nl>Hij verhuist van [LOCATION:Eindhoven] naar [LOCATION:Maastricht].',
  'pl>Nazywam się [PERSON:Katarzyna Zielińska] i mieszkam w [LOCATION:Krakowie].',
  'pl>Pani [PERSON:Kowalska] dzwoniła w sprawie faktury z [DATE_TIME:12 marca 2025].',
  'pl>Szanowny Panie [PERSON:Nowak], dziękujemy za zgłoszenie.',
  'pl>Mój adres: [LOCATION:ul. Mickiewicza 18/4, 31-120 Kraków].',
  'pl>Urodziłem się [DATE_TIME:4 stycznia 1983] w [LOCATION:Poznaniu].',
  'pl>[PERSON:Jakub] i [PERSON:Zofia] przyjadą w [DATE_TIME:piątek] do [LOCATION:Warszawy].',
  'pl>Pan [PERSON:Lewandowski] przeprowadza się do [LOCATION:Wrocławia].',
  'pl>Od [DATE_TIME:2014] roku [PERSON:Magdalena Szymańska] pracuje w Orlenie.',
  'pl>cześć, tu [PERSON:kasia], możesz zapytać [PERSON:pawła] czy jest w [LOCATION:łodzi]?',
  'pl>Proszę dzwonić do [PERSON:Piotra Wiśniewskiego]: [PHONE_NUMBER:+48 601 234 567].',
  'pl>Spotkanie przeniesiono z [DATE_TIME:poniedziałku 3 czerwca] na [DATE_TIME:środę 5 czerwca].',
  'pl>Moja siostra [PERSON:Ewa] mieszka przy [LOCATION:Alejach Jerozolimskich 44].',
  'pl>Uczestnicy: [PERSON:Kamiński], [PERSON:Dąbrowska] i [PERSON:Wójcik].',
  'pl>Z poważaniem,\n[PERSON:Tomasz Jankowski]',
  'pl>Zamówienie 48812 kosztuje 1999 złotych, wersja 2.4 na porcie 8080.',
  'pl>Biedronka i Lidl obniżają ceny, mówi PKO.',
  'pl>Wyszła za mąż w [DATE_TIME:2007] za [PERSON:Marka Kozłowskiego] w [LOCATION:Toruniu].',
  'pl>Mam na imię [PERSON:Agnieszka], mail: [EMAIL_ADDRESS:aga@example.pl].',
  'pl>Do [DATE_TIME:31 grudnia] [PERSON:Wojciech] jest na urlopie.',
  'pl>Jedzie z [LOCATION:Lublina] do [LOCATION:Szczecina].',
];

it('finds nine of ten spans in Portuguese, Dutch and Polish', () => {
  const { count, missed, wrong } = scoreMarked(LINES);
  expect(missed.length / count, `missed: ${missed.join('; ')}`).toBeLessThanOrEqual(0.1);
  expect(wrong.length, `false: ${wrong.join('; ')}`).toBeLessThanOrEqual(4);
});
