import { describe, expect, it } from 'vitest';
import { createDetector } from '../../detector.js';

function people(text: string): string[] {
  return createDetector({ language: 'en', entities: ['PERSON'] })
    .detectSync(text)
    .map(({ start, end }) => text.slice(start, end));
}

describe('the lines of a patch', () => {
  it('name people in a file of them', () => {
    expect(people('+++ b/guests.csv\n@@ -4,2 +4,2 @@\n-Villanueva;2;vegan\n+Mac Giolla;1;no nuts')).toEqual([
      'Villanueva',
      'Mac Giolla',
    ]);
  });

  it('name people by full names that fill them', () => {
    expect(people('+++ b/deed.txt\n@@ -4,3 +4,3 @@\n For the tenant:\n-Agnes Pugh\n+Clara Heller')).toEqual([
      'Agnes Pugh',
      'Clara Heller',
    ]);
  });

  it('name nobody where they are headings or programs', () => {
    expect(
      people('+++ b/README.md\n@@ -1,3 +1,4 @@\n Getting Started\n-Quick Setup\n Install: Visual Studio'),
    ).toEqual([]);
    expect(
      people('+++ b/members.csv\n@@ -1,3 +1,4 @@\n Name;Plan;Active\n-Premium;3;yes\n+Gold;3;yes'),
    ).toEqual([]);
  });
});
