import { expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const found = (text: string, language = 'en') =>
  createDetector({ language, entities: ['PERSON', 'LOCATION'] })
    .detectSync(text)
    .map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);

it.each([
  ['de', '# Ansprechpartner: Detlef Wiesenthal, Durchwahl 14\ncache:\n  ttl: 300', 'Detlef Wiesenthal'],
  ['fr', '# responsable : Bastien Hautecloque\nlimite = 10', 'Bastien Hautecloque'],
  ['es', '// encargada: Itziar Mendizábal\nlet total = 0;', 'Itziar Mendizábal'],
  ['it', '/* referente: Saverio Cangemi */\nint max = 10;', 'Saverio Cangemi'],
  ['pt', 'limite = 5  # responsável: Adalberto Nepomuceno', 'Adalberto Nepomuceno'],
  ['nl', '-- beheerder: Geertruida Slagboom\nSELECT 1;', 'Geertruida Slagboom'],
  ['pl', '// opiekun: Radosław Gajda\nint limit = 10;', 'Radosław Gajda'],
  ['en', '; point of contact: Ferdinand Achebe\n[http]\nport = 80', 'Ferdinand Achebe'],
])('a comment in %s names whom to ask', (language, text, name) => {
  expect(found(text, language)).toEqual([`PERSON ${name}`]);
});

it('with an address behind', () => {
  expect(found('# contactpersoon: Wiebe Hoogland, Dorpsstraat 3, 9401 EA Assen\npoort: 8443', 'nl')).toEqual([
    'PERSON Wiebe Hoogland',
    'LOCATION Dorpsstraat 3, 9401 EA Assen',
  ]);
});

it.each([
  '# contact: Platform Team, #infra-help\nreplicas: 3',
  '# Ansprechpartner: Vertrieb Nord\ncache:\n  ttl: 300',
  '# contact : Service Client\nport = 80\nlimite = 10',
  '// contatto: Ufficio Acquisti\nlet x = 1;',
  '# maintainer: Release Engineering\nimport os',
])('or an office, which is nobody: %j', (text) => {
  expect(found(text)).toEqual([]);
});
