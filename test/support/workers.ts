import { readFile } from 'node:fs/promises';
import type { Gateway } from './gateway.js';

/** The process ids of an engine's workers. */
export async function workerPids(gateway: Gateway): Promise<number[]> {
  const { pid } = gateway.sluice.engine;
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

/** The state of each part in the answer of `/healthz/ready`. */
export async function partStates(gateway: Gateway): Promise<Record<string, string>> {
  const answer = await fetch(`${gateway.sluice.adminUrl}/healthz/ready`);
  return ((await answer.json()) as { parts: Record<string, string> }).parts;
}

/** The number of requests of each worker, from /metrics. */
export async function requestsByWorker(gateway: Gateway): Promise<Map<string, number>> {
  const text = await (await fetch(`${gateway.sluice.adminUrl}/metrics`)).text();
  const counts = new Map<string, number>();
  for (const [, worker = '', count] of text.matchAll(/^sluice_requests_total\{worker="(\d+)".*\} (\d+)/gm)) {
    counts.set(worker, (counts.get(worker) ?? 0) + Number(count));
  }
  return counts;
}
