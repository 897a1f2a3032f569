/**
 * Findings of texts seen before, so that a conversation that grows by a message is not scanned anew. The key is a
 * SHA-256 of the text: with a weaker hash a client could make two texts that share one, and hide what is in one.
 */
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Finding } from './types.js';

const MAX_TEXTS = 2000;
/** Findings kept in all, each text counting as one more: about 100 bytes each. */
const MAX_FINDINGS = 20_000;

function copy(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) => ({ ...finding }));
}

export class FindingCache {
  readonly #found = new LRUCache<string, readonly Finding[]>({
    max: MAX_TEXTS,
    maxSize: MAX_FINDINGS,
    sizeCalculation: (findings) => findings.length + 1,
  });

  keyOf(text: string): string {
    return createHash('sha256').update(text, 'utf16le').digest('base64');
  }

  /** A copy, so that what a caller does to it stays with the caller. */
  get(key: string): Finding[] | undefined {
    const found = this.#found.get(key);
    return found && copy(found);
  }

  set(key: string, findings: readonly Finding[]): void {
    this.#found.set(key, copy(findings));
  }
}
