/**
 * Counts findings in text that contains next to no personal data, per 10 kB and by kind of text. Correct findings
 * count too, except those that are marked.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedCode } from '../../test/support/installed-code.ts';

const MIB = 1_048_576;
const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url));
/** Lines with these words name the people who wrote or gave something, and the address of its publisher. */
const CREDITS =
  /copyright|\(c\)|©|author|contribut|maintain|written by|modified|adapted|thanks|credit|acknowledg|<[^ >]+@|"(?:name|url|email)":|Foundation, Inc|Franklin St|Temple Place|Oracle Parkway/i;
const LONGEST_LINE = 200;

/** Whether the line of a finding, or the line before it, gives credit to somebody. */
function isCredit(text, { start, end }) {
  const line = text.lastIndexOf('\n', Math.max(0, start - 1));
  const before = line <= 0 ? 0 : text.lastIndexOf('\n', line - 1) + 1;
  const next = text.indexOf('\n', end);
  const until = Math.min(next < 0 ? text.length : next, end + LONGEST_LINE);
  return CREDITS.test(text.slice(Math.max(before, start - LONGEST_LINE), until));
}

const overlap = (one, other) => one.start < other.end && other.start < one.end;

function rates(name, texts, detect, types) {
  const counts = new Map();
  let units = 0;
  let credits = 0;
  for (const { text, language, marks = [] } of texts) {
    units += text.length;
    for (const finding of detect({ text, language })) {
      const { type } = finding;
      if (types !== undefined && !types.includes(type)) continue;
      if (marks.some((mark) => overlap(mark, finding))) continue;
      if (types !== undefined && isCredit(text, finding)) credits++;
      else counts.set(type, (counts.get(type) ?? 0) + 1);
    }
  }
  if (units === 0) return;
  const in10kB = (count) => ((count / units) * 10_000).toFixed(2);
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 6);
  const told = most.map(([type, count]) => `${type} ${in10kB(count)}`).join('  ');
  const beside = types === undefined ? '' : `   in credits ${in10kB(credits)}`;
  console.log(
    `  ${name.padEnd(14)}${in10kB(all).padStart(7)}  of ${(units / 1e6).toFixed(2)} MB  ${told}${beside}`,
  );
}

/** Text of each kind that nobody marked (`plain` and `plain-locked`). */
export function falseInText(part, texts, detect) {
  console.log(`${part}: findings of all types in 10 kB`);
  const kindOf = ({ kind }) => kind.replace(/,.*/, '');
  for (const kind of [...new Set(texts.map(kindOf))].sort())
    rates(
      kind,
      texts.filter((row) => kindOf(row) === kind),
      detect,
    );
}

/** Source code and licences. Addresses that are marked as examples are not counted, and people in credits are real. */
export function falseInCode(detect) {
  console.log('people and places in 10 kB of source code, without those in lines of credits');
  const kinds = [...installedCode(), { name: 'licences', texts: licences }];
  for (const { name, texts } of kinds)
    rates(
      name,
      texts(MIB).map((text) => ({ text, language: 'en' })),
      detect,
      ['PERSON', 'LOCATION'],
    );
}

/** The different licences of the packages of this project, as examples of legal texts. */
function licences() {
  const paths = readdirSync(PACKAGES, { recursive: true }).filter((path) =>
    /(?:^|\/)LICEN[CS]E[^/]*$/i.test(path),
  );
  return [...new Set(paths.sort().map((path) => readFileSync(join(PACKAGES, path), 'utf8')))];
}
