import { expect, it } from 'vitest';
import { createDetector } from '../index.js';

/** What is found in a line in one of eight languages; what stands in brackets is to be found. */
function found(language: string, line: string): [string[], (string | undefined)[]] {
  const text = line.replace(/[[\]]/g, '');
  const spans = createDetector({ language, entities: ['NRP'] }).detectSync(text);
  return [
    spans.map(({ start, end }) => text.slice(start, end)),
    [...line.matchAll(/\[([^\]]*)\]/g)].map((match) => match[1]),
  ];
}

it.each([
  ['en', 'Nationality: [british]'],
  ['en', 'Nationality (as in passport): [kenyan]'],
  ['en', 'Citizenship: [canadian]'],
  ['es', 'Nacionalidad: [española]'],
  ['es', 'nacionalidad [ecuatoriana], soltero'],
  ['fr', 'de nationalité [ivoirienne], née en 1990'],
  ['it', 'Cittadinanza [moldava]'],
  ['pt', 'Nacionalidade: [angolana]'],
  ['de', 'Staatsangehörigkeit: [deutsch]'],
  ['de', 'Religion: [römisch-katholisch]'],
  ['nl', 'nationaliteit: [marokkaanse]'],
  ['pl', 'Obywatelstwo: [ukraińskie]'],
  ['pl', 'Wyznanie: [rzymskokatolickie]'],
])('the value of a field is a nationality or a creed, in small letters too: %s %s', (language, line) => {
  const [spans, expected] = found(language, line);
  expect(spans).toEqual(expected);
});

it.each([
  ['en', 'Nationality: unknown'],
  ['en', 'Nationality: see passport'],
  ['en', 'the nationality field is a string'],
  ['es', 'Nacionalidad: no consta'],
  ['fr', 'la nationalité est un critère'],
  ['de', 'Nationalität: keine Angabe'],
  ['de', 'die Staatsangehörigkeit ist zu prüfen'],
  ['pl', 'obywatelstwo: brak danych'],
])('and what nobody filled is none: %s %s', (language, line) => {
  expect(found(language, line)[0]).toEqual([]);
});

it.each([
  ['pt', 'o vizinho [angolano] do 402 disse'],
  ['es', 'el vecino [uruguayo] se queja'],
  ['it', 'la badante [moldava] di nonna'],
  ['fr', 'ma voisine [camerounaise] est partie'],
  ['de', 'mein [ghanaischer] Kollege'],
  ['pl', 'mój [ukraiński] sąsiad'],
  ['en', 'my [polish] builder'],
])('a nationality in small letters is that of somebody beside it: %s %s', (language, line) => {
  const [spans, expected] = found(language, line);
  expect(spans).toEqual(expected);
});

it.each([
  ['en', "Bed 3, 81F, [Jehovah's Witness], refuses blood"],
  ['de', 'er ist [Zeuge Jehovas] und lehnt Blut ab'],
  ['fr', 'patiente [témoin de Jéhovah], refuse la transfusion'],
  ['es', 'paciente [testigo de Jehová]'],
  ['it', 'paziente [testimone di Geova]'],
  ['pt', 'doente [testemunha de Jeová]'],
  ['nl', "patiënt is [Jehova's getuige]"],
  ['pl', 'pacjent jest [świadkiem Jehowy]'],
  ['en', 'are [quakers] ok with raffles?'],
])('a creed that is nothing else needs no word: %s %s', (language, line) => {
  const [spans, expected] = found(language, line);
  expect(spans).toEqual(expected);
});

it.each([
  ['en', 'quaker oats for breakfast'],
  ['en', 'polish the table, will you'],
  ['en', 'German and Polish strings load fine, Turkish dotless i breaks lower()'],
  ['de', 'reichen 20 berliner für 30 leute?'],
  ['es', 'aceite español y queso francés'],
  ['pt', 'vinho português e azeite espanhol'],
])('goods and languages have none: %s %s', (language, line) => {
  expect(found(language, line)[0]).toEqual([]);
});
