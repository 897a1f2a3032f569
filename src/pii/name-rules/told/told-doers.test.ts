import { expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const found = (text: string, language: string) =>
  createDetector({ language, entities: ['PERSON'] })
    .detectSync(text)
    .map(({ start, end }) => text.slice(start, end));

it.each([
  [
    'en',
    '// reported by Isolde Ferrante, reviewed by Kwaku Asare\nreturn null;',
    ['Isolde Ferrante', 'Kwaku Asare'],
  ],
  ['de', '# gemeldet von Wolfram Ehlert, siehe Ticket\nlimit = 3', ['Wolfram Ehlert']],
  ['fr', '# signalé par Ghislaine Mercadier\nseuil = 4', ['Ghislaine Mercadier']],
  ['es', '// reportado por Eulalia Cifuentes\nconst max = 3;', ['Eulalia Cifuentes']],
  ['it', '# segnalato da Fiorenza Galbiati\nsoglia = 2', ['Fiorenza Galbiati']],
  ['pt', '// corrigido por Leocádia Pimentel\nvar y = 1;', ['Leocádia Pimentel']],
  ['nl', '# gemeld door Geertruida Postma\ngrens = 9', ['Geertruida Postma']],
  ['pl', '// błąd zgłosiła Jadwiga Śliwińska, poprawka w 2.1\nx = 1;', ['Jadwiga Śliwińska']],
  ['en', 'x = 1  # belongs to Lim Swee Hock, do not touch', ['Lim Swee Hock']],
  ['pl', '-- konto założyła Jadwiga Śliwińska\nSELECT * FROM konta WHERE id = 71;', ['Jadwiga Śliwińska']],
  ['en', 'const text = "Salaam, Nigora!";', ['Nigora']],
  ['fr', 'const text = "Bonjour, Maëlys !";', ['Maëlys']],
])('a comment tells who did it, and a string whom it greets, in %s: %j', (language, text, names) => {
  expect(found(text, language)).toEqual(names);
});

it.each([
  'print("Hello, World!"); print("Welcome back, User!"); print("Hola, Mundo!");',
  '// added by Continuous Integration\nint n = 0;',
  '// found by Static Analysis in release 3\nint n = 0;',
])('and nobody else is one: %j', (text) => {
  expect(found(text, 'en')).toEqual([]);
});
