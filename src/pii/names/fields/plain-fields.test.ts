import { expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const found = (text: string) =>
  createDetector({ entities: ['PERSON', 'LOCATION'] })
    .detectSync(text)
    .map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);

it('finds who and where in fields without quotes', () => {
  expect(found('[recipient]\nname = Abdoulaye Ndiaye\ntown = Dakar\nnewsletter = yes')).toEqual([
    'PERSON Abdoulaye Ndiaye',
    'LOCATION Dakar',
  ]);
  expect(found("guest:\n  name: Siobhán O'Meara\n  città: ROVIGO")).toEqual([
    "PERSON Siobhán O'Meara",
    'LOCATION ROVIGO',
  ]);
  expect(found('id=7\nlast_name=Wickremasuriya\nrole=Admin')).toEqual(['PERSON Wickremasuriya']);
});

it.each([
  '[server]\nname = Zorbl Vlimp\nmode = Fast',
  'level: INFO\ncity: NULL\ncountry: TBD\nowner: ROOT',
  'fonts:\n  primary: Roboto\n  secondary: Georgia\n  fallback: Arial',
  'owner = Platform Team\nmanager = Poetry\nlevel = High',
])('and not in fields of things: %j', (text) => {
  expect(found(text)).toEqual([]);
});
