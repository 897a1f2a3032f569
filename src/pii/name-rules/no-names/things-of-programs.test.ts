import { describe, expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const found = (text: string, language = 'en') =>
  createDetector({ language, entities: ['PERSON', 'LOCATION'] })
    .detectSync(text)
    .map(({ start, end }) => text.slice(start, end));

describe('programs and what they have', () => {
  it.each([
    ['en', 'Is the Morgan logger slower than Pino? The Thompson parser throws.'],
    ['en', 'We replaced the Hibernate ORM, and Mockito with fakes; Gson stays.'],
    ['en', 'The Mark button does nothing; the Bill tab is empty; press the Chase icon.'],
    ['en', 'Use the Austin theme, the Madison template and the Dallas layout.'],
    ['fr', 'Le bouton Grant est grisé.'],
    ['en', 'font-family: "Verona", "Georgia", serif; color: navy'],
    ['en', 'kubectl -n oslo get pods && helm upgrade berlin ./chart'],
    ['en', 'git checkout release/paris && ssh vienna uptime'],
    ['pl', 'Czy w Kotlinie albo w Javie da się to zrobić krócej niż w Pythonie?'],
    ['pl', 'Przepisz to z Pythona na Rusta i dodaj testy.'],
  ])('are nobody and no place, in %s: %s', (language, text) => {
    expect(found(text, language)).toEqual([]);
  });

  it.each([
    ['docker meetup in lisbon tomorrow', ['lisbon']],
    ['Use Docker, says Marta from Lisbon.', ['Marta', 'Lisbon']],
    ['Grant pressed the button.', ['Grant']],
  ])('but people and places beside them are: %s', (text, names) => {
    expect(found(text)).toEqual(names);
  });
});

describe('in letters and talk', () => {
  it.each([
    ['de', 'Liebe Kundin, Eure Rechnung liegt bei, Ihre Bestellung auch.'],
    ['de', 'Der Preis ist Netto angegeben, Brutto wären es 119 Euro.'],
    ['nl', 'Kun je deze Italiaanse tekst korter maken?'],
    ['en', 'to be frank the plan is thin, and quite frank talk is needed'],
    ['en', 'Fwd: the minutes. Re: parking.'],
    ['en', 'My US passport expires soon and the UK visa form is long.'],
    ['en', 'Write an essay on guilt in Anna Karenina and Effi Briest.'],
    ['fr', 'Résumez Madame Bovary en 150 mots et comparez-le à Thérèse Raquin.'],
    ['it', 'Confronta il tema della natura ne I promessi sposi con Renzo Tramaglino.'],
  ])('these are nobody and no place, in %s: %s', (language, text) => {
    expect(found(text, language)).toEqual([]);
  });
});

describe('dishes that are called like people of towns', () => {
  const nations = createDetector({ language: 'de', entities: ['NRP'] });
  it.each([
    'Am Imbiss gibt es Wiener, Frankfurter und Hamburger mit Pommes.',
    'Zum Kaffee ein Berliner vom Bäcker, dazu ein Amerikaner.',
  ])('are no nationality: %s', (text) => {
    expect(nations.detectSync(text)).toEqual([]);
  });

  it('and the people of towns stay', () => {
    expect(nations.detectSync('Die Berliner Verwaltung prüft den Fall.')).toHaveLength(1);
  });
});
