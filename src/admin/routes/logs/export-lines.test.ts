import { expect, it } from 'vitest';
import { logRecord } from '../../../../test/support/log-record.js';
import type { LogWalk, WalkedLog } from '../../../store/logs/log-walk.js';
import { exportLines } from './export-lines.js';

it('lets other work have its turn between the lines, although all logs are there already', async () => {
  const turns = Array.from({ length: 100 }, (_, turn) => ({
    role: turn % 2 === 0 ? 'user' : 'assistant',
    content: `Turn ${turn} of a long conversation.`,
  }));
  const record = logRecord({ request: { model: 'support', messages: turns } });
  const walk = {
    async *logs(): AsyncGenerator<WalkedLog> {
      for (let index = 0; index < 150; index++) {
        // A fast machine writes all lines in a few turns, so each log takes a millisecond at least.
        for (const end = performance.now() + 1; performance.now() < end; );
        yield { record, signals: [], prompt: null };
      }
    },
  } as Partial<LogWalk> as LogWalk;
  const leftOut = { mixed_forms: 0, invalid_improvement: 0 };
  const source = { walk, checkImprovement: async () => undefined, leftOut };
  const wish = { kind: 'sft', format: 'openai', includeUnrated: true, provenance: false } as const;
  let rounds = 0;
  let isOver = false;
  const other = () => {
    rounds++;
    if (!isOver) setImmediate(other);
  };
  setImmediate(other);
  let lines = 0;
  for await (const _line of exportLines(source, 'p', {}, wish)) lines++;
  isOver = true;
  expect(lines).toBe(150);
  expect(rounds).toBeGreaterThan(3);
});
