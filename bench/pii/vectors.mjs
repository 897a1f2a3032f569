/** Valid and invalid values of each type, scored by the score.py next to them. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function scoreVectors(folder, detectorFor) {
  const gold = join(folder, 'vectors.dev.jsonl');
  const rows = readFileSync(gold, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const lines = rows.map(({ id, text, language, entity_type: type }) => {
    const found = detectorFor(language, type).detectSync(text);
    const spans = found.map(({ start, end, entityType, score }) => ({
      start,
      end,
      entity_type: entityType,
      score,
    }));
    return JSON.stringify({ id, spans });
  });
  const scratch = mkdtempSync(join(tmpdir(), 'pii-'));
  try {
    const answers = join(scratch, 'vectors');
    writeFileSync(answers, `${lines.join('\n')}\n`);
    const program = [join(folder, 'score.py'), gold, answers, '--utf16', '--vectors'];
    console.log(`== vectors\n${execFileSync('python3', program, { encoding: 'utf8' })}`);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}
