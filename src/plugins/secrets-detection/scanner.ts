import type { Steps } from '../../core/pacing/steps.js';
import type { Found, TextScanner } from '../text-guard/found.js';
import { readingsOf } from '../text-guard/readings.js';
import { NAMED_VALUES } from './named-values.js';
import { TOKEN_PATTERNS } from './patterns.js';
import { findPrivateKeys } from './private-keys.js';
import { looksRandom } from './randomness.js';
import type { SecretPattern } from './secret-pattern.js';

const PATTERNS = [...TOKEN_PATTERNS, ...NAMED_VALUES];

export const SECRETS_SCANNER = 'secrets';

/** Long text is matched in stretches, so that other work can run between them. */
const STRETCH = 65_536;
/** No secret except a private key is longer than this, including the context that identifies it. */
const OVERLAP = 8_192;

export function createSecretsScanner(): TextScanner {
  return {
    *scan(text) {
      const { written, meant } = yield* readingsOf(text);
      const found = yield* findAll(text);
      for (const reading of meant) {
        if (reading.text === written.text) continue;
        for (const one of yield* findAll(reading.text)) {
          const [start, end] = reading.span(one.start, one.end);
          found.push({ ...one, start, end });
        }
      }
      return withoutOverlaps(found);
    },
  };
}

/** The findings in one reading of a text (see `readings.ts`). */
function* findAll(text: string): Steps<Found[]> {
  const found: Found[] = [];
  yield* findPrivateKeys(text, found);
  for (const pattern of PATTERNS) {
    if (pattern.sign?.test(text) === false) continue;
    for (let from = 0; from < text.length; from += STRETCH) {
      findIn(text, from, pattern, found);
      yield;
    }
  }
  return found;
}

function findIn(
  text: string,
  from: number,
  { pattern, check, certain, type }: SecretPattern,
  found: Found[],
): void {
  // The units before a stretch show whether a word continues there.
  const start = Math.max(0, from - 2);
  const stretch = text.slice(start, from + STRETCH + OVERLAP);
  pattern.lastIndex = from - start;
  for (const match of stretch.matchAll(pattern)) {
    if (match.index >= STRETCH + from - start) break;
    const secret = match.groups?.secret ?? match[0];
    if (!(check ?? looksRandom)(secret)) continue;
    const at = start + match.index + match[0].lastIndexOf(secret);
    found.push({ type, start: at, end: at + secret.length, score: certain?.(secret) ? 1 : 0.9 });
  }
}

/** The findings in order. Of those that overlap, the longer one stays. */
function withoutOverlaps(found: Found[]): Found[] {
  const kept: Found[] = [];
  for (const one of found.sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1);
    if (last === undefined || one.start >= last.end) kept.push(one);
    else if (one.end - one.start > last.end - last.start) kept[kept.length - 1] = one;
  }
  return kept;
}
