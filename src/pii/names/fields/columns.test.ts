import { expect, it } from 'vitest';
import { nameModel } from '../../model/names.js';
import { columnNames } from './columns.js';

function namesIn(text: string): string[] {
  const steps = columnNames(text, nameModel().lists);
  for (;;) {
    const { done, value } = steps.next();
    if (done)
      return value
        .filter(({ type }) => type !== 'THING')
        .map(({ type, start, end }) => `${type} ${text.slice(start, end)}`);
  }
}

it.each([
  [
    "REPLACE INTO stays (payer_name, city) VALUES ('Ilse Brandt', 'Jena'), ('Ravi Pillai', 'Kochi')",
    ['PERSON Ilse Brandt', 'LOCATION Jena', 'PERSON Ravi Pillai', 'LOCATION Kochi'],
  ],
  ['"name","phone"\n"Edda Thorsen","1"\n"Bram Kok","2"\n', ['PERSON Edda Thorsen', 'PERSON Bram Kok']],
  ['id;last;first\n1;Kagawa;Mio\n', ['PERSON Kagawa', 'PERSON Mio']],
])('the name of a column tells what its values are: %j', (text, names) => {
  expect(namesIn(text)).toEqual(names);
});

it.each(['first,second\nRed,Green\n', 'name,version\nExpress,5\n'])(
  'and where it names no person or place nothing is found: %j',
  (text) => {
    expect(namesIn(text)).toEqual([]);
  },
);
