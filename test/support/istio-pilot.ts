import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { runProgram } from '../../src/local/processes/run-program.js';
import { sidecarOf } from './translated-gateway.js';
import type { Place } from './ways.js';

type Part = Record<string, ReturnType<typeof JSON.parse>>;

/** What pilot sends to each sidecar for the traffic of its pod. */
const ISTIOS_OWN = /^(virtual(Out|In)bound|BlackHoleCluster|(Inbound)?PassthroughCluster)$/;

/**
 * The bootstrap of a sidecar with what Istio's pilot itself makes of our manifests. Other things that pilot sends are left
 * out, because some of them need an extension that only Istio's build of Envoy has.
 */
export async function translateWithPilot(
  pilot: string,
  manifests: string,
  { folder, ...place }: Place & { folder: string },
): Promise<string> {
  const filters = parseAllDocuments(manifests).filter((document) => document.get('kind') === 'EnvoyFilter');
  const path = join(folder, 'filters.yaml');
  await writeFile(path, filters.map((filter) => stringify(filter)).join('---\n'));
  const result = await runProgram(pilot, [path], { environment: process.env });
  if (result.code !== 0) throw new Error(`Istio's pilot: ${result.problem}`);
  const { listeners, clusters }: { listeners: Part[]; clusters: Part[] } = JSON.parse(result.stdout);
  const ours = (parts: Part[]) => parts.filter(({ name }) => !ISTIOS_OWN.test(name));
  return sidecarOf(manifests, { listeners: ours(listeners), clusters: ours(clusters) }, place);
}
