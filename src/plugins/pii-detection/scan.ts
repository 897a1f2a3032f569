import { append } from '../../core/append.js';
import { Turns } from '../../core/time-slices.js';
import type { Finding } from '../../pii/types.js';
import type { PlacedText } from '../helpers/texts.js';
import type { PiiEngine } from './engine.js';

export interface PlacedFinding extends Finding {
  place: string;
}

/** What a text costs beside its length, in units of text. */
const UNITS_PER_TEXT = 64;

/** Looks at all texts; at once where they are short together. `signal` is asked for only where it takes time. */
export function scanTexts(
  engine: PiiEngine,
  texts: readonly PlacedText[],
  signal: () => AbortSignal,
): PlacedFinding[] | Promise<PlacedFinding[]> {
  const units = texts.reduce((sum, { text }) => sum + text.length + UNITS_PER_TEXT, 0);
  if (units > engine.syncLimit) return scanInTurns(engine, texts, signal());
  return texts.flatMap(({ place, text }) => placed(engine.findSync(text), place));
}

async function scanInTurns(
  engine: PiiEngine,
  texts: readonly PlacedText[],
  signal: AbortSignal,
): Promise<PlacedFinding[]> {
  if (engine.syncLimit === 0) return askForAll(engine, texts, signal);
  const findings: PlacedFinding[] = [];
  const turns = new Turns();
  // One after the other: side by side, each would take a turn of its own before any other work gets one.
  for (const { place, text } of texts) {
    append(findings, placed(await engine.find(text, signal), place));
    await turns.pause();
    signal.throwIfAborted();
  }
  return findings;
}

/** The work is done elsewhere. */
async function askForAll(
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
