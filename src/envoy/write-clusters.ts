import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Provider } from '../core/settings.js';
import { renderClusters } from './clusters.js';

/**
 * Replaces the clusters file by renaming a new one, because Envoy watches for a rename. Returns false where nothing
 * changed.
 */
export function writeClusters(file: string, providers: Iterable<Provider>): boolean {
  const text = renderClusters(providers);
  mkdirSync(dirname(file), { recursive: true });
  if (readIfThere(file) === text) return false;
  const next = `${file}.next`;
  writeFileSync(next, text);
  renameSync(next, file);
  return true;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
