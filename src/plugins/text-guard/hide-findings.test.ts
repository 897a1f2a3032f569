import { describe, expect, it } from 'vitest';
import type { Steps } from '../../core/pacing/steps.js';
import { StandIns } from '../stand-ins/stand-ins.js';
import { type HiddenTexts, hideInSteps } from './hide-findings.js';

const MANY = 30_000;
const STYLES = ['reversible', 'surrogate'] as const;

/** So many addresses in one text, all of them found. */
function crowd(count: number) {
  let text = 'This has <EMAIL_ADDRESS_7> in it. ';
  const found = Array.from({ length: count }, (_, index) => {
    const start = text.length;
    const value = `u${index}@corp.test`;
    text += `${value} `;
    return { type: 'EMAIL_ADDRESS', place: '/0/parts/0/text', start, end: start + value.length, score: 1 };
  });
  return { texts: [{ place: '/0/parts/0/text', text }], found };
}

function run(steps: Steps<HiddenTexts>): { hidden: HiddenTexts; count: number } {
  for (let count = 0; ; count++) {
    const step = steps.next();
    if (step.done) return { hidden: step.value, count };
  }
}

describe.each(STYLES)('thousands of findings, %s', (style) => {
  const { texts, found } = crowd(MANY);
  const options = { style, known: new StandIns(), series: '' };
  const { hidden, count } = run(hideInSteps(texts, found, options));

  it('are hidden in steps of some hundred, so that other work runs in between', () => {
    // Cut out, numbered, looked for in the text, written and listed: each in sixty steps.
    expect(count).toBeGreaterThan(240);
  });

  it('all have a stand-in that does not occur in the text itself', () => {
    expect(Object.keys(hidden.restores)).toHaveLength(MANY);
    expect(hidden.restores).not.toHaveProperty('<EMAIL_ADDRESS_7>');
    expect(hidden.texts.get('/0/parts/0/text')).not.toContain('@corp.test');
  });
});

it('a value has the same stand-in where a text quotes it with the escapes of JSON', () => {
  const texts = ['I am José Muñoz.', '{"name":"Jos\\u00e9 Mu\\u00f1oz"}'].map((text, at) => ({
    place: `/${at}/parts/0/text`,
    text,
  }));
  const spans = [
    [5, 15],
    [9, 29],
  ] as const;
  const found = spans.map(([start, end], at) => ({
    type: 'PERSON',
    place: `/${at}/parts/0/text`,
    start,
    end,
    score: 1,
  }));
  const { hidden } = run(
    hideInSteps(texts, found, { style: 'reversible', known: new StandIns(), series: '' }),
  );
  expect([...hidden.texts.values()]).toEqual(['I am <PERSON_1>.', '{"name":"<PERSON_1>"}']);
  expect(hidden.restores).toEqual({ '<PERSON_1>': 'José Muñoz' });
});

it('thousands of stand-ins are prepared for restoring in steps, and each is found', () => {
  const standIns = new StandIns();
  const pairs = Array.from({ length: MANY }, (_, at): [string, string] => [
    `<A_${(at * 7) % MANY}>`,
    `v${at}`,
  ]);
  let steps = 0;
  for (const _ of standIns.addInSteps(pairs)) steps++;
  expect(steps).toBeGreaterThan(200);
  const text = pairs.map(([standIn]) => standIn).join('');
  const { matches } = standIns.matcher('plain').find(text, { final: true, before: '', json: false });
  expect(matches.map(({ name }) => name)).toEqual(pairs.map(([standIn]) => standIn));
});
