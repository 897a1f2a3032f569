import { Readable, Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { sampleTexts, scoreTexts } from './evaluate.js';

function streams(rows: readonly unknown[]) {
  const written: string[] = [];
  const output = new Writable({
    write(chunk, _, done) {
      written.push(String(chunk));
      done();
    },
  });
  const lines = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)));
  return { input: Readable.from([`${lines.join('\n')}\n`]), output, written };
}

const mark = (start: number, end: number, entity_type: string) => ({ start, end, entity_type });

it('compares findings with marks, by type and for several thresholds', async () => {
  const { written, ...given } = streams([
    { text: '🙂 ada@example.org and 10.0.0.1', spans: [mark(2, 17, 'EMAIL_ADDRESS')] },
    { text: 'bob@example.org', spans: [mark(0, 15, 'EMAIL_ADDRESS')] },
    { text: 'eve at example org', spans: [mark(0, 18, 'EMAIL_ADDRESS')] },
    '',
    { text: 'eva@example.org', spans: [mark(0, 15, '_IGNORE'), mark(0, 3, 'PERSON')] },
  ]);
  expect(await scoreTexts({ ...given, entities: ['EMAIL_ADDRESS', 'IP_ADDRESS'] })).toBe(4);
  const table = written.join('');
  expect(table).toMatch(/^4 texts, score_threshold 0\.5\n/);
  expect(table).toMatch(/EMAIL_ADDRESS +3 +2 +1\.000 +0\.667 +0\.800/);
  expect(table).toMatch(/IP_ADDRESS +0 +1 +0\.000 +- +0\.000/);
  expect(table).toMatch(/all types +3 +3 +0\.667 +0\.667 +0\.667/);
  expect(table).toMatch(/score_threshold +0\.3 +0\.4 +0\.5 +0\.6 +0\.7 +0\.8 +0\.9\n/);
  expect(table).toMatch(/IP_ADDRESS +prec\. +0\.000( +0\.000)+ +-/);
  expect(table).toContain('With fewer than 50 marks nothing is proposed: EMAIL_ADDRESS, IP_ADDRESS');
});

it('draws as many texts as asked for, with their findings', async () => {
  const { written, ...given } = streams([{ text: 'no one' }, { text: 'ada@example.org' }, { text: 'x' }]);
  const draws = [0.4, 0.9];
  await sampleTexts({ ...given, entities: ['EMAIL_ADDRESS'] }, 1, () => draws.shift()!);
  expect(written.map((line) => JSON.parse(line))).toEqual([
    {
      text: 'ada@example.org',
      spans: [{ ...mark(0, 15, 'EMAIL_ADDRESS'), score: expect.any(Number), value: 'ada@example.org' }],
    },
  ]);
});

it('finds marks that somebody corrected by their value, each place once', async () => {
  const entity_type = 'EMAIL_ADDRESS';
  const { written, ...given } = streams([
    {
      text: '🙂 a@b.org, a@b.org',
      spans: [
        { entity_type, value: 'a@b.org' },
        { entity_type, value: 'a@b.org' },
      ],
    },
    { text: 'eva@example.org', spans: [{ entity_type, start: 0, end: 3, value: 'eva@example.org' }] },
  ]);
  await scoreTexts({ ...given, entities: [entity_type] });
  expect(written.join('')).toMatch(/EMAIL_ADDRESS +3 +3 +1\.000 +1\.000 +1\.000/);
});

it.each([
  ['{', /line 2: not valid JSON/],
  ['{"spans":[]}', /line 2: expected "text"/],
  ['{"text":"x","spans":[{"start":1}]}', /line 2: expected "spans"/],
  ['{"text":"x","spans":[null]}', /line 2: expected "spans"/],
  ['{"text":"x","spans":[{"entity_type":"PERSON","value":"y"}]}', /whose value stands in the text/],
])('names the line that cannot be read: %s', async (line, message) => {
  await expect(scoreTexts(streams([{ text: 'x' }, line]))).rejects.toThrow(message);
});
