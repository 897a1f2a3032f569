import type { Price } from '../../core/settings.js';

/** A model's entry in its provider's price list. */
export interface CatalogueModel {
  /** Other names of the model at the provider. */
  also?: string[];
  /** The most tokens of input and output together, where it is known. */
  context_tokens?: number;
  price: Price;
}

/** Prices of many models, in one file that an operator can replace. */
export interface Catalogue {
  /** The day on which the prices were collected, `YYYY-MM-DD`. */
  date: string;
  source: string;
  /** The models by `provider/model`. */
  models: Record<string, CatalogueModel>;
}

/** The model with this name or alias. */
export function findInCatalogue(catalogue: Catalogue, name: string): CatalogueModel | undefined {
  if (Object.hasOwn(catalogue.models, name)) return catalogue.models[name];
  const slash = name.indexOf('/');
  if (slash === -1) return undefined;
  const [provider, model] = [name.slice(0, slash + 1), name.slice(slash + 1)];
  for (const [known, entry] of Object.entries(catalogue.models)) {
    if (known.startsWith(provider) && entry.also?.includes(model)) return entry;
  }
  return undefined;
}

/** Reads a catalogue. Throws an Error that says what is wrong with it. */
export function parseCatalogue(text: string): Catalogue {
  const value = JSON.parse(text) as Partial<Catalogue>;
  if (typeof value.date !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value.date)) {
    throw new Error('expected `date` as YYYY-MM-DD');
  }
  if (typeof value.source !== 'string') throw new Error('expected `source` as text');
  if (typeof value.models !== 'object' || value.models === null)
    throw new Error('expected `models` as a map');
  for (const [name, model] of Object.entries(value.models)) {
    const problem = problemOf(model);
    if (problem !== undefined) throw new Error(`models[${JSON.stringify(name)}]: ${problem}`);
  }
  return value as Catalogue;
}

function problemOf(model: CatalogueModel | null): string | undefined {
  const price = model?.price;
  if (typeof price !== 'object' || price === null) return 'expected `price` as a map';
  for (const key of ['input_per_mtok', 'output_per_mtok'] as const) {
    if (!isPrice(price[key])) return `expected \`price.${key}\` as a number from 0`;
  }
  const wrong = Object.entries(price).find(([key, value]) => key.endsWith('_per_mtok') && !isPrice(value));
  return wrong && `expected \`price.${wrong[0]}\` as a number from 0`;
}

function isPrice(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value);
}
