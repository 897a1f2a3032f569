import { readFileSync, writeFileSync } from 'node:fs';
import { ownCatalogue } from '../config/model-catalogue.js';
import { parseCatalogue } from '../policy/prices/catalogue.js';
import { importCatalogue, printCatalogue } from '../policy/prices/import-catalogue.js';

export interface ModelsOptions {
  json?: boolean;
  file?: string;
}

/** Prints the catalogue of models: the names that a provider's `models` can use, with prices. */
export async function models({ json, file }: ModelsOptions): Promise<number> {
  const catalogue = file === undefined ? ownCatalogue() : parseCatalogue(readFileSync(file, 'utf8'));
  if (json) {
    process.stdout.write(`${JSON.stringify(catalogue, null, 2)}\n`);
    return 0;
  }
  const lines = Object.entries(catalogue.models).map(([name, { price, context_tokens }]) =>
    [
      name.padEnd(48),
      `in ${price.input_per_mtok}`.padEnd(12),
      `out ${price.output_per_mtok}`.padEnd(12),
      context_tokens === undefined ? '' : `${context_tokens} tokens`,
    ]
      .join(' ')
      .trimEnd(),
  );
  process.stdout.write(
    `${lines.join('\n')}\n${lines.length} models, US dollars for a million tokens, as of ${catalogue.date} (${catalogue.source})\n`,
  );
  return 0;
}

export interface ModelsUpdateOptions {
  output: string;
  date?: string;
}

/** Writes a catalogue from a price list of genai-prices, which is a file or a URL. */
export async function updateModels(from: string, { output, date }: ModelsUpdateOptions): Promise<number> {
  const text = /^https?:\/\//.test(from) ? await download(from) : readFileSync(from, 'utf8');
  const catalogue = importCatalogue(text, sourceOf(from), date ?? new Date().toISOString().slice(0, 10));
  writeFileSync(output, printCatalogue(catalogue));
  process.stdout.write(`${output}: ${Object.keys(catalogue.models).length} models\n`);
  return 0;
}

async function download(url: string): Promise<string> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answered with status ${answer.status}`);
  return answer.text();
}

/** The source as the catalogue names it. Only the file's name is kept of a path, because others do not have it. */
function sourceOf(from: string): string {
  return /^https?:\/\//.test(from)
    ? `genai-prices, MIT, ${from}`
    : 'genai-prices (github.com/pydantic/genai-prices), MIT, copyright Pydantic Services Inc.';
}
