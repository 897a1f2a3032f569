import { fileURLToPath } from 'node:url';
import { createJiti } from 'jiti';
import type { Plugin } from '../plugin.js';
import { readPlugin } from './plugin-shape.js';

const TYPESCRIPT = /\.[cm]?tsx?$/;

/** Imports one module by its URL and reads its default export. TypeScript goes through a stripper of types. */
export async function importPlugin(url: string): Promise<Plugin<unknown>> {
  const module: unknown = TYPESCRIPT.test(new URL(url).pathname)
    ? await createJiti(url, { fsCache: false, moduleCache: false }).import(fileURLToPath(url))
    : await import(url);
  return readPlugin((module as { default?: unknown }).default);
}
