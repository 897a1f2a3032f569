import { describe, expect, it } from 'vitest';
import { createDetector } from '../../detector.js';

function found(text: string, language: string): string[] {
  return createDetector({ language, entities: ['PERSON', 'LOCATION'] })
    .detectSync(text)
    .map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);
}

describe('names in small letters', () => {
  it.each([
    ['pt', 'a jucélia da recepçao falou q o valdemir nao vem', ['PERSON jucélia', 'PERSON valdemir']],
    ['pt', 'esqueceu a chuteira no carro da thaís', ['PERSON thaís']],
    ['pl', 'hej, grzesiek mówi że serwer w rzeszowie padł', ['PERSON grzesiek', 'LOCATION rzeszowie']],
    ['pl', 'no i znowu nic, bo oliwka płacze', ['PERSON oliwka']],
    ['nl', 'hoi met joke, alles is stuk. ruben zou langskomen', ['PERSON joke', 'PERSON ruben']],
    ['en', 'ok so tobi cant come', ['PERSON tobi']],
    ['en', 'borrow some from lupe', ['PERSON lupe']],
    ['es', 'tio iker q has hecho', ['PERSON iker']],
    ['fr', 'remis a un certain kévin lemoigne hier', ['PERSON kévin lemoigne']],
    ['en', 'member tyrell okafor-banks moved', ['PERSON tyrell okafor-banks']],
    ['es', 'se van a vivir a lugo este mes', ['LOCATION lugo']],
    ['de', 'die wg in gießen hat abgesagt', ['LOCATION gießen']],
  ])('%s: %s', (language, text, names) => {
    expect(found(text, language)).toEqual(names);
  });

  it.each([
    ['pt', 'o porteiro falou que o elevador vem, o sistema pediu senha'],
    ['pt', 'oi gente, o concerto foi bom'],
    ['pl', 'szef mówi że klient dzwonił wczoraj, koleżanka nie odbiera'],
    ['nl', 'de monteur zou komen en niemand heeft tijd'],
    ['en', 'excel cant open, printer wont start, the app didnt load'],
    ['en', 'im in bed, stuck in traffic, hotel in town, flights or hotel'],
    ['fr', 'un certain nombre de gens, hôtel à vendre'],
    ['en', 'customer service team, guest wifi password'],
  ])('are none where they are words: %s: %s', (language, text) => {
    expect(found(text, language)).toEqual([]);
  });
});
