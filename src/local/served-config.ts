import { readFileSync, renameSync, unwatchFile, watchFile, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Document, isAlias, isMap, isScalar, isSeq, parseDocument } from 'yaml';
import { MOCK_PROVIDERS } from './processes/instance.js';
import { StartError } from './processes/start-error.js';

export const demoPath = fileURLToPath(new URL('./demo.yaml', import.meta.url));

const WATCH_INTERVAL_MS = 500;
/** Invented prices in US dollars, so that logs of the demo have a cost. */
const PRICES = {
  small: { input_per_mtok: 0.2, output_per_mtok: 0.8 },
  large: { input_per_mtok: 2, output_per_mtok: 8 },
};

/**
 * Whether a configuration has a provider. Returns true for a text with mistakes too, because the engine reports them.
 */
export function namesProvider(text: string): boolean {
  const document = parseDocument(text);
  if (document.errors.length > 0 || !isMap(document.contents)) return true;
  const providers = document.get('providers');
  return isMap(providers) && providers.items.length > 0;
}

/**
 * The same configuration with providers of the mock model, one for each family of APIs. Its relative paths are
 * resolved from `folder`, because the result may be stored elsewhere.
 */
export function withMockModel(text: string, port: number, folder: string): string {
  if (namesProvider(text)) return text;
  const document = parseDocument(text);
  const address = `http://127.0.0.1:${port}/v1`;
  const [openai, anthropic] = MOCK_PROVIDERS;
  document.set('providers', {
    [openai]: { api: 'openai', base_url: address, responses: true, prices: PRICES },
    [anthropic]: { api: 'anthropic', base_url: address, prices: PRICES },
  });
  makePathsAbsolute(document, folder);
  // A folded line would shift the line numbers of all mistakes after it.
  return document.toString({ lineWidth: 0 });
}

/** Makes the paths of plugins and keys absolute. There are no providers, and so no files with their credentials. */
function makePathsAbsolute(document: Document, folder: string): void {
  for (const module of itemsOf(document, document.get('plugins'))) {
    const isPath = isScalar<string>(module) && /^\.{0,2}\//.test(String(module.value));
    if (isPath) module.value = resolve(folder, module.value);
  }
  const projects = itemsOf(document, document.get('projects'));
  const keys = projects.flatMap((project) =>
    isMap(project) ? itemsOf(document, project.get('api_keys')) : [],
  );
  for (const key of [...keys, ...itemsOf(document, document.get('admin_keys')), document.get('directory')]) {
    const path = isMap(key) ? key.get('key_file') : undefined;
    if (isMap(key) && typeof path === 'string') key.set('key_file', resolve(folder, path));
  }
}

function itemsOf(document: Document, list: unknown): unknown[] {
  const real = (node: unknown) => (isAlias(node) ? node.resolve(document) : node);
  const items = real(list);
  return isSeq(items) ? items.items.map(real) : [];
}

export function readConfig(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new StartError(`SLUICE_CONFIG=${path} cannot be read: ${(error as Error).message}`);
  }
}

/** Writes the served file now, and again whenever its source changes. Returns a function that stops this. */
export function keepServed(source: string, target: string, port: number): () => void {
  const write = () => {
    writeFileSync(`${target}.new`, withMockModel(readFileSync(source, 'utf8'), port, dirname(source)));
    renameSync(`${target}.new`, target);
  };
  write();
  const onChange = (now: { mtimeMs: number }) => {
    // While an editor replaces the file, there may be no file for a moment.
    if (now.mtimeMs !== 0) write();
  };
  watchFile(source, { interval: WATCH_INTERVAL_MS, persistent: false }, onChange);
  return () => unwatchFile(source, onChange);
}
