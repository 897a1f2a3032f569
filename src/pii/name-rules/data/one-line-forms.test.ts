import { describe, expect, it } from 'vitest';
import { createDetector } from '../../index.js';

const found = (text: string) =>
  createDetector({ language: 'en', entities: ['PERSON', 'LOCATION', 'URL'] })
    .detectSync(text)
    .map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);

describe('in forms of one line', () => {
  it.each([
    [
      'who wrote a line is somebody',
      '77e0f19c (Arvid Holm     2024-05-31 08:20:10 +0200 119)     return null;',
      ['PERSON Arvid Holm'],
    ],
    [
      'fields of a posted form are parts of a name',
      "curl -d 'plan=pro&first=Ada&last=Haruna' --proxy 10.20.3.14:8080",
      ['PERSON Ada', 'PERSON Haruna'],
    ],
    ['other fields are none', 'GET /list?sort=Last&file=Ada HTTP/1.1', []],
    [
      'rows that PostgreSQL writes out have columns',
      'COPY public.staff (id, full_name, birthplace) FROM stdin;\n12\tPark Ji-hoon\tDaejeon\n\\.',
      ['PERSON Park Ji-hoon', 'LOCATION Daejeon'],
    ],
    [
      'a field for a host has one',
      'smtp:\n  host: mail.kestrel-grid.co.za\n  port: 587\n',
      ['URL mail.kestrel-grid.co.za'],
    ],
    ['what a program calls so is none', 'const host = config.server.com;\nlet x = host.com();', []],
    ['a name goes on behind its comma', 'Name: Pham, Quoc Bao\nTeam: blue', ['PERSON Pham, Quoc Bao']],
  ])('%s: %s', (_, text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});
