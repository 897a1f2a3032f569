/** What the head of a column tells of numbers that no word stands beside. */
import { describe, expect, it } from 'vitest';
import { createDetector } from '../index.js';

const detector = createDetector({ language: 'en', without: ['names'] });

function found(text: string): string[] {
  return detector
    .detectSync(text)
    .map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);
}

const PHONES = ['PHONE_NUMBER 3504925899', 'PHONE_NUMBER (149) 931-5247'];

describe('a column of telephone numbers', () => {
  it.each([
    ['CSV', 'id,mobile,state\n7,3504925899,ok\n8,(149) 931-5247,ok\n'],
    ['CSV with quotes', '"id";"homePhone"\n"7";"3504925899"\n"8";"(149) 931-5247"\n'],
    ['tabs', 'id\tTelefonnummer\n7\t3504925899\n8\t(149) 931-5247\n'],
    ['Markdown', '| id | phone |\n|---|---|\n| 7 | 3504925899 |\n| 8 | (149) 931-5247 |\n'],
    ['COPY', 'COPY people (id, phone_number) FROM stdin;\n7\t3504925899\n8\t(149) 931-5247\n\\.\n'],
    ['INSERT', "INSERT INTO people (id, cel) VALUES (7, '3504925899'), (8, '(149) 931-5247');"],
    ['INSERT in lines', "INSERT INTO c (id, fax)\nVALUES\n(7, '3504925899'),\n(8, '(149) 931-5247');"],
  ])('is recognized in %s', (_, text) => {
    expect(found(text)).toEqual(PHONES);
  });

  const FAR = `${'x'.repeat(40)}`;

  it.each([
    ['another column', 'id,stock,state\n7,3504925899,ok\n8,3504925811,ok\n'],
    [
      'another column of an INSERT',
      `INSERT INTO t (mobile, note, stock) VALUES ('no', '${FAR}', '3504925899');`,
    ],
    ['a value that is not all of its cell', `note,phone\n${FAR}${FAR},part 3504925899 of it\n`],
  ])('is not recognized in %s', (_, text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('a column of identifiers', () => {
  it.each([
    ['ssn', 'name,ssn\nx,219-09-9998\ny,219099998\nz,912-45-6781\n', 3],
    ['social_security_number', "INSERT INTO t (social_security_number) VALUES ('219099998');", 1],
  ])('is recognized or not: %s', (_, text, count) => {
    expect(found(text).filter((one) => one.startsWith('US_SSN'))).toHaveLength(count);
  });
});
