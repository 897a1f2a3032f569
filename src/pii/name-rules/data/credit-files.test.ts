import { expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const people = createDetector({ entities: ['PERSON'] });
const found = (text: string) => people.detectSync(text).map(({ start, end }) => text.slice(start, end));

it.each([
  [
    'a patch of a list of contributors',
    '+++ b/CONTRIBUTORS\n@@ -1,3 +1,4 @@\n Wanjiru Kamau\n-Anders Lindkvst\n+Anders Lindkvist\n',
    ['Wanjiru Kamau', 'Anders Lindkvst', 'Anders Lindkvist'],
  ],
  [
    'a file of authors, with addresses and list marks',
    'AUTHORS.md\n=======\n\n- Oyelaran Adisa (docs)\n- Mirela van der Horn, <mirela>\n',
    ['Oyelaran Adisa', 'Mirela van der Horn'],
  ],
])('people are found in %s', (_, text, names) => {
  expect(found(text)).toEqual(names);
});

it('the list ends where a line is no name', () => {
  expect(found('CREDITS\nWanjiru Kamau\nThis file is generated.\nRelease Notes\n')).toEqual([
    'Wanjiru Kamau',
  ]);
});
