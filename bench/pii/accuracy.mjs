/** Tables of precision, recall and F1, and of what scores mean, by set and language. */
import { askPresidio } from './presidio.mjs';
import { calibrationError, reliability, Scores } from './scores.mjs';

/** The types that are marked in gathered text. In the development files all types are marked, and scored. */
const NAMES = ['PERSON', 'LOCATION'];
/** Findings with this score or a higher one count as sure. */
const SURE = 0.9;

const figure = (value) => value.toFixed(3).padStart(7);

/** The scores of our detector and of Presidio, by the key of each text, such as its source. */
export function scoresBy(keyOf, texts, types, detect, presidio) {
  const tables = new Map();
  const tableOf = (key) => {
    if (!tables.has(key)) tables.set(key, { ours: new Scores(), theirs: new Scores(), hasNames: true });
    return tables.get(key);
  };
  const [theirs, models] = presidio === undefined ? [[], []] : askPresidio(presidio, texts);
  texts.forEach((row, i) => {
    const table = tableOf(keyOf(row));
    table.ours.add(row.marks, detect(row), types);
    if (presidio !== undefined) table.theirs.add(row.marks, theirs[i], types);
    table.hasNames &&= models.includes(row.language);
  });
  return tables;
}

function row(name, scores, type) {
  const { marked, precision, recall, f1 } = scores.of(type);
  return `${name.padEnd(30)}${type.padEnd(20)}${String(marked).padStart(6)}${figure(precision)}${figure(recall)}${figure(f1)}`;
}

/** Prints the scores of all types on the development files. */
export function printOwn(tables) {
  for (const [name, { ours, theirs, hasNames }] of tables) {
    for (const type of [...ours.counts.keys()].sort()) {
      const isBlind = !hasNames && [...NAMES, 'NRP'].includes(type);
      const beside =
        theirs.counts.size === 0
          ? ''
          : isBlind
            ? '   Presidio: no model of names'
            : `   Presidio${figure(theirs.of(type).f1)}`;
      console.log(row(name, ours, type) + beside);
    }
  }
}

/** Prints the scores of people and places, with one line for each source or language. */
export function printNames(tables) {
  for (const [name, { ours, theirs, hasNames }] of [...tables].sort()) {
    for (const type of NAMES) {
      if (ours.of(type).marked === 0) continue;
      const sure = ours.findings.filter(([kind, score]) => kind === type && score >= SURE);
      const right = sure.filter(([, , isRight]) => isRight).length / (sure.length || 1);
      const beside = hasNames && theirs.counts.size > 0 ? `   Presidio${figure(theirs.of(type).f1)}` : '';
      console.log(
        `${row(name, ours, type)}   of ${String(sure.length).padStart(4)} at ${SURE} and more right${figure(right)}${beside}`,
      );
    }
  }
}

/** For each tenth of scores: the number of findings, their mean score, and the share that is right. */
export function printReliability(tables) {
  for (const type of NAMES) {
    const findings = [...tables.values()].flatMap(({ ours }) => ours.findings);
    const bins = reliability(findings, type);
    console.log(
      `${type}: mean distance of scores from the share that is right ${calibrationError(bins).toFixed(3)}`,
    );
    for (const [tenth, { count, score, right }] of bins.entries())
      if (count > 0)
        console.log(
          `  from ${(tenth / 10).toFixed(1)}${String(count).padStart(7)} findings, score${figure(score)}, right${figure(right)}`,
        );
  }
}

export { NAMES };
