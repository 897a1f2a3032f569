import { fileURLToPath } from 'node:url';
import type { Plugin } from '../../contract/plugin.js';
import { readPlugin } from './plugin-shape.js';

const TYPESCRIPT = /\.[cm]?tsx?$/;

/** `sluice/plugin` always means that of this installation, wherever the plugin's file is. */
const API = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../api.ts' : '../../api.js', import.meta.url),
);

/** Imports one module by its URL and reads its default export. Types are stripped from TypeScript. */
export async function importPlugin(url: string): Promise<Plugin<unknown>> {
  const module: unknown = TYPESCRIPT.test(new URL(url).pathname)
    ? await importByJiti(url)
    : await importAsItStands(url);
  return readPlugin((module as { default?: unknown }).default);
}

async function importAsItStands(url: string): Promise<unknown> {
  try {
    return await import(url);
  } catch (error) {
    // Where our package is not installed beside the plugin, Node cannot resolve it.
    const missing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!missing || !/'sluice'|sluice\/plugin/.test(error.message)) throw error;
    return importByJiti(url);
  }
}

async function importByJiti(url: string): Promise<unknown> {
  const { createJiti } = await import('jiti');
  const alias = { 'sluice/plugin': API };
  return createJiti(url, { fsCache: false, moduleCache: false, alias }).import(fileURLToPath(url));
}
