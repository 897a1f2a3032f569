/**
 * False alarms in source code, counted on what the machine has: the packages that are installed for this project, its
 * own sources, and the standard libraries of other languages where they are installed. A name in a line that says who
 * wrote something is none.
 */
import { describe, expect, it } from 'vitest';
import { createDetector } from '../../src/pii/index.js';
import { installedCode } from '../support/installed-code.js';

const ENOUGH = 300_000;
const MOST_PER_10_KB = 1;
/** Lines of authors, and of the addresses in licences. */
const SAYS_WHO =
  /author|copyright|\(c\)|©|written|contribut|maintain|thanks|modified|<.+@.+>|"name"|"url"|Foundation|Street|Parkway|\bSt,/i;

/** Contributors with their pages or pictures, and items of a list that are a name alone. */
const LISTS_PEOPLE =
  /^\s*(?:[-*|]|<td).*(?:github\.com|avatars|\.png\?size)|^\s*[-*] \p{Lu}\S+(?: (?:\p{Lu}|d[aei] )\S+)+(?: \/ \w+)?\s*$/u;

/** With a scheme or a path, or of the domain that is kept for examples. */
const IS_ADDRESS = /:\/\/|^www\.|^[\w.-]+\.\w+\/\w|example\.(?:com|org|net)$/;

const detector = createDetector({ entities: ['PERSON', 'LOCATION', 'URL'] });

function falseAlarms(text: string, inProse: boolean): string[] {
  return detector
    .detectSync(text)
    .filter(({ start, end }) => {
      const line = text.slice(text.lastIndexOf('\n', start) + 1, text.indexOf('\n', end) + 1 || text.length);
      if (inProse && (LISTS_PEOPLE.test(line) || isWholeLiteral(text, start, end))) return false;
      return !IS_ADDRESS.test(text.slice(start, end)) && !SAYS_WHO.test(line);
    })
    .map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);
}

/** `name: 'Bob'` in an example names somebody. */
function isWholeLiteral(text: string, start: number, end: number): boolean {
  return /["'`]/.test(text[start - 1] ?? '') && text[start - 1] === text[end];
}

describe('at most one false PERSON, LOCATION or URL in 10 kB of source code', () => {
  for (const { name, texts } of installedCode()) {
    it(name, ({ skip }) => {
      const code = texts(ENOUGH);
      if (code.length === 0) return skip('not installed here');
      const units = code.reduce((sum, text) => sum + text.length, 0);
      const found = code.flatMap((text) => falseAlarms(text, name === 'READMEs'));
      expect(units, 'there is code to look at').toBeGreaterThan(50_000);
      expect((found.length / units) * 10_000, found.join('\n')).toBeLessThanOrEqual(MOST_PER_10_KB);
    });
  }
});

describe('in source code', () => {
  const found = (text: string) =>
    detector.detectSync(text).map(({ entityType, start, end }) => `${entityType} ${text.slice(start, end)}`);

  it.each([
    'const user = this.name ?? user.id;\nlog.info(main.py, request.log.info);',
    'if x is True:\n    return None\nelif y == False:\n    pass',
    '{\n  "private": true,\n  "optional": false,\n  "port": 8443\n}',
    'listening on port 8443, pid 31337',
    'type Store struct {\n\tFlags  int32\n\tReturn *Pointer\n}',
    'import {\n  Guard,\n  Mark,\n  Grant,\n} from "./rules.js";',
    '#ifdef FOO\n#endif\n#else',
    '{\n  "author": "OpenTelemetry Authors",\n  "owner": "LangChain",\n  "contributors": [{ "githubUsername": "Bartvds" }]\n}',
    '{\n  "author": "Google LLC",\n  "maintainer": "RReverser"\n}',
    '{\n  "fail": "Rola ARIA musi być dozwolona",\n  "pass": "ARIA rola onartuta dago"\n}',
    'commit 5F25a77e2b3c, 3f2504e0-4f89-11d3-9a0c-0305e82c3301, v10.2.3',
  ])('nothing is found in %j', (text) => {
    expect(found(text)).toEqual([]);
  });

  it.each([
    [
      'const user = { name: "Laura Stevenson", city: "Chicago" };',
      ['PERSON Laura Stevenson', 'LOCATION Chicago'],
    ],
    [
      'run();\n// Laura Stevenson asked for this, see https://example.org/a',
      ['PERSON Laura Stevenson', 'URL https://example.org/a'],
    ],
    [
      '{\n  "author": "Laura Stevenson",\n  "site": "example.org"\n}',
      ['PERSON Laura Stevenson', 'URL example.org'],
    ],
    [
      "INSERT INTO users (name, city) VALUES ('Laura Stevenson', 'Chicago');",
      ['PERSON Laura Stevenson', 'LOCATION Chicago'],
    ],
    [
      '{\n  "author": "Shaun McCarthy",\n  "user_name": "Oduya",\n  "owner": "DeShawn"\n}',
      ['PERSON Shaun McCarthy', 'PERSON Oduya', 'PERSON DeShawn'],
    ],
    ['<li>Laura Stevenson</li>', ['PERSON Laura Stevenson']],
    ['def greet():\n    """Says hello to Laura Stevenson."""\n', ['PERSON Laura Stevenson']],
  ])('what stands in strings, comments and between tags is found: %j', (text, expected) => {
    expect(found(text)).toEqual(expected);
  });
});
