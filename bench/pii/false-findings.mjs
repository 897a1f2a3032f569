/**
 * Findings in 10 kB of text that contains almost no personal data, by kind of text. Right findings are counted too.
 */
import { installedCode } from '../../test/support/installed-code.ts';

const MIB = 1_048_576;

function rates(name, texts, detect, types) {
  const counts = new Map();
  let units = 0;
  for (const { text, language } of texts) {
    units += text.length;
    for (const { type } of detect({ text, language })) {
      if (types === undefined || types.includes(type)) counts.set(type, (counts.get(type) ?? 0) + 1);
    }
  }
  if (units === 0) return;
  const in10kB = (count) => ((count / units) * 10_000).toFixed(2);
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 6);
  const told = most.map(([type, count]) => `${type} ${in10kB(count)}`).join('  ');
  console.log(`  ${name.padEnd(14)}${in10kB(all).padStart(7)}  of ${(units / 1e6).toFixed(2)} MB  ${told}`);
}

/** Findings in kinds of text without marks (`plain`). */
export function falseInText(texts, detect) {
  console.log('findings of all types in 10 kB');
  for (const source of new Set(texts.map((row) => row.source)))
    rates(
      source,
      texts.filter((row) => row.source === source),
      detect,
    );
}

/** Findings in source code. Addresses that are written as such do not count here. */
export function falseInCode(detect) {
  console.log('people and places in 10 kB of source code');
  for (const { name, texts } of installedCode())
    rates(
      name,
      texts(MIB).map((text) => ({ text, language: 'en' })),
      detect,
      ['PERSON', 'LOCATION'],
    );
}
