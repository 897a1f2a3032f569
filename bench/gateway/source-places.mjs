import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/** The source maps of files; null for a file that has none. */
const maps = new Map();

/**
 * Where a place of a built file stands in the sources: `path` from the root of the project, and `line` from 1. `line` and `column` of
 * the built file count from 0. Undefined for a file without a source map. The program is joined into few files, so their own lines say
 * little.
 */
export function placeInSources(file, line, column) {
  const entry = mapOf(file)?.findEntry(line, column);
  if (entry?.originalSource === undefined) return undefined;
  const path = entry.originalSource.replace(/^.*\/(?=src\/)|^(?:\.\.\/)+/, '');
  return { path, line: entry.originalLine + 1 };
}

function mapOf(file) {
  if (!maps.has(file)) {
    const path = `${file}.map`;
    const isThere = file.includes('/dist/') && existsSync(path);
    maps.set(file, isThere ? new SourceMap(JSON.parse(readFileSync(path, 'utf8'))) : null);
  }
  return maps.get(file);
}
