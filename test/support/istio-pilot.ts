import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { runProgram } from '../../src/local/processes/run-program.js';
import { sidecarOf } from './translated-gateway.js';
import type { Place } from './ways.js';

type Part = Record<string, ReturnType<typeof JSON.parse>>;

/**
 * The bootstrap of a sidecar with what Istio's pilot itself makes of our manifests. What it would send besides, its own
 * listeners, is left out: they take the traffic of a whole pod and are the same with us and without.
 */
export async function translateWithPilot(
  pilot: string,
  manifests: string,
  { directory, ...place }: Place & { directory: string },
): Promise<string> {
  const filters = parseAllDocuments(manifests).filter((document) => document.get('kind') === 'EnvoyFilter');
  const path = join(directory, 'filters.yaml');
  await writeFile(path, filters.map((filter) => stringify(filter)).join('---\n'));
  const result = await runProgram(pilot, [path], { environment: process.env });
  if (result.code !== 0) throw new Error(`Istio's pilot: ${result.problem}`);
  const { listeners, clusters }: { listeners: Part[]; clusters: Part[] } = JSON.parse(result.stdout);
  const ours = listeners.filter(({ name }) => name.startsWith('sluice-'));
  return sidecarOf(manifests, { listeners: ours, clusters }, place);
}
