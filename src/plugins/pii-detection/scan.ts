import type { Finding } from '../../pii/types.js';
import type { PlacedText } from '../texts.js';
import type { PiiEngine } from './engine.js';

export interface PlacedFinding extends Finding {
  place: string;
}

/** Looks at all texts; at once where they are short together. `signal` is asked for only where it takes time. */
export function scanTexts(
  engine: PiiEngine,
  texts: readonly PlacedText[],
  signal: () => AbortSignal,
): PlacedFinding[] | Promise<PlacedFinding[]> {
  const length = texts.reduce((sum, { text }) => sum + text.length, 0);
  if (length > engine.syncLimit) return scanInTurns(engine, texts, signal());
  return texts.flatMap(({ place, text }) => placed(engine.findSync(text), place));
}

async function scanInTurns(
  engine: PiiEngine,
  texts: readonly PlacedText[],
  signal: AbortSignal,
): Promise<PlacedFinding[]> {
  const findings = await Promise.all(
    texts.map(async ({ place, text }) => placed(await engine.find(text, signal), place)),
  );
  return findings.flat();
}

function placed(findings: readonly Finding[], place: string): PlacedFinding[] {
  return findings.map((finding) => ({ ...finding, place }));
}
