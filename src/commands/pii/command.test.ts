import { PassThrough, Readable, Writable } from 'node:stream';
import { text as readAll } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { type PiiCommand, runPiiCommand } from './command.js';

async function run(lines: string[], options: Partial<PiiCommand> = {}) {
  const output = new PassThrough();
  const error = new PassThrough();
  const code = runPiiCommand({ input: Readable.from(lines.map((l) => `${l}\n`)), output, error, ...options });
  const [out, err, exit] = await Promise.all([
    readAll(output),
    readAll(error),
    code.finally(() => {
      output.end();
      error.end();
    }),
  ]);
  const rows = out.split('\n').filter(Boolean);
  return { rows: rows.map((row) => JSON.parse(row)), err, exit };
}

describe('sluice pii', () => {
  it('answers line by line, with offsets in code points', async () => {
    const { rows, exit } = await run([JSON.stringify({ id: 7, text: '😀 ada@example.org' })]);
    expect(rows).toEqual([{ id: 7, spans: [{ start: 2, end: 17, entity_type: 'EMAIL_ADDRESS', score: 1 }] }]);
    expect(exit).toBe(0);
  });

  it('reads a file with Windows line ends', async () => {
    const { rows, exit } = await run(['\uFEFF{"id":1,"text":"ada@example.org"}\r']);
    expect(rows.map((row) => row.spans.length)).toEqual([1]);
    expect(exit).toBe(0);
  });

  it('reads plain text where asked to, and suggests that option where it was not given', async () => {
    const { rows, exit } = await run(['', 'Mail ada@example.org', '{"no": "JSON'], { plain: true });
    expect(rows.map(({ id, spans }) => [id, spans.length])).toEqual([
      [2, 1],
      [3, 0],
    ]);
    expect(exit).toBe(0);
    const { err } = await run(['Mail ada@example.org']);
    expect(err).toContain('line 1: not JSON; use --text');
  });

  it('uses entities, language and context of a line', async () => {
    const text = 'legajo 512345678 ada@example.org';
    const { rows } = await run([
      JSON.stringify({ id: 1, text, entities: ['US_PASSPORT'], context: ['legajo'] }),
      JSON.stringify({ id: 2, text, entities: ['US_PASSPORT'] }),
      JSON.stringify({ id: 3, text: 'Maria Fernandez', language: 'xx' }),
    ]);
    expect(rows.map((row) => row.spans.length)).toEqual([1, 0, 1]);
  });

  it.each([
    ['ends in peace where its reader has seen enough', 'EPIPE', 0],
    ['fails where its answers cannot be written', 'ENOSPC', 1],
  ])('%s', async (_case, code, exit) => {
    const output = new Writable({
      highWaterMark: 1,
      write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code })),
    });
    const lines = Array.from({ length: 3 }, () => '{"id":1,"text":"x"}\n');
    const error = new PassThrough();
    expect(await runPiiCommand({ input: Readable.from(lines), output, error })).toBe(exit);
  });

  it('names a line that it cannot read, continues, and exits with 1', async () => {
    const { rows, err, exit } = await run([
      '{',
      '{"id":2}',
      '{"id":3,"text":"a","entities":["X"]}',
      '{"id":4,"text":"a"}',
    ]);
    expect(rows).toEqual([{ id: 4, spans: [] }]);
    expect(err).toContain('line 1: not JSON');
    expect(err).toContain('line 2: expected "text"');
    expect(err).toContain('line 3: entities[0]');
    expect(exit).toBe(1);
  });

  it('skips empty lines', async () => {
    expect((await run(['', ' ', '{"id":1,"text":""}'])).rows).toHaveLength(1);
  });

  it('lowers the threshold when asked', async () => {
    const line = JSON.stringify({ id: 1, text: '512345678', entities: ['US_PASSPORT'] });
    expect((await run([line], { scoreThreshold: 0.01 })).rows[0].spans).toHaveLength(1);
  });

  it('prints every candidate with its reason', async () => {
    const { rows } = await run([JSON.stringify({ id: 1, text: 'passport 512345678' })], { all: true });
    const passport = rows[0].spans.find(
      (span: { entity_type: string }) => span.entity_type === 'US_PASSPORT',
    );
    expect(passport.explanation).toMatchObject({ recognizer: 'us-passport', contextWord: 'passport' });
    expect(rows[0].spans.length).toBeGreaterThan(1);
  });

  it('prints times on standard error', async () => {
    const { err } = await run([JSON.stringify({ id: 1, text: 'hello' })], { stats: true });
    expect(err).toMatch(/^messages 1, median [\d.]+ ms, p99 [\d.]+ ms, \d+ characters per second\n$/);
  });
});
