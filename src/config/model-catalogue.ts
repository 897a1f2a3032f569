import { readFileSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '../core/json.js';
import type { Price } from '../core/settings.js';
import { didYouMean } from '../core/texts/did-you-mean.js';
import { type Catalogue, findInCatalogue, parseCatalogue } from '../policy/prices/catalogue.js';
import type { FileText } from './key-files.js';
import type { Problem } from './mistakes.js';
import { fieldsOf } from './rules.js';

const OWN_CATALOGUE = new URL('../policy/prices/models.json', import.meta.url);

let own: Catalogue | undefined;

/** The catalogue of this version. It is read when a configuration uses one of its prices. */
export function ownCatalogue(): Catalogue {
  own ??= parseCatalogue(readFileSync(OWN_CATALOGUE, 'utf8'));
  return own;
}

type ReadCatalogue = { catalogue: Catalogue } | { mistake: string };

/**
 * Catalogues that were read. Each provider of a configuration asks for prices, and a catalogue is read once for all of them.
 */
const readCatalogues = new WeakMap<FileText, ReadCatalogue>();

/** The catalogue that a configuration names, or the built-in one. `file` is the configured one. */
function readCatalogue(file: FileText | undefined): ReadCatalogue {
  if (file === undefined) return { catalogue: ownCatalogue() };
  let read = readCatalogues.get(file);
  if (read === undefined) {
    read = parseFile(file);
    readCatalogues.set(file, read);
  }
  return read;
}

function parseFile(file: FileText): ReadCatalogue {
  if ('failure' in file) return { mistake: `the file cannot be read: ${file.failure}` };
  try {
    return { catalogue: parseCatalogue(file.text) };
  } catch (error) {
    return { mistake: `the file is no catalogue of models: ${(error as Error).message}` };
  }
}

/** Mistakes of a configured catalogue, or of the names that providers use from it. */
export function checkCatalogue(config: JsonObject, file: FileText | undefined): Problem[] {
  const takes = fieldsOf(config.providers).flatMap(([provider, { models }]) =>
    isJsonObject(models) ? Object.entries(models).map(([model, name]) => ({ provider, model, name })) : [],
  );
  if (takes.length === 0 && file === undefined) return [];
  const read = readCatalogue(file);
  if ('mistake' in read) return [{ path: ['model_catalogue'], message: read.mistake }];
  const known = Object.keys(read.catalogue.models);
  return takes.flatMap(({ provider, model, name }) => {
    if (typeof name !== 'string' || findInCatalogue(read.catalogue, name) !== undefined) return [];
    const message = `the catalogue of models has no ${JSON.stringify(name)} (\`sluice models\` lists what it has)${didYouMean(name, known)}`;
    return [{ path: ['providers', provider, 'models', model], message }];
  });
}

/** The prices by model: those of the catalogue, overridden by those of the configuration file. */
export function pricesOf(
  { models, prices }: { models: Record<string, string>; prices: Record<string, Price> },
  file: FileText | undefined,
): Record<string, Price> {
  if (Object.keys(models).length === 0) return prices;
  const read = readCatalogue(file);
  if ('mistake' in read) return prices;
  const taken = Object.entries(models).flatMap(([model, name]): [string, Price][] => {
    const found = findInCatalogue(read.catalogue, name);
    return found === undefined ? [] : [[model, found.price]];
  });
  return { ...Object.fromEntries(taken), ...prices };
}
