import { readdirSync, readFileSync } from 'node:fs';

const NS_PER_MS = 1e6;

/** Of one process, in cores: 1 is one core all the time. */
export interface ProcessorUse {
  /** All threads together. */
  used: number;
  /** Its busiest thread. */
  busiest: number;
  /** How long that thread was ready to run while other threads had the cores. */
  waited: number;
}

interface Thread {
  ranNs: number;
  waitedNs: number;
}

/** Measures how much of the processor the processes use from now until the returned function is called. */
export function processorUse(processes: Record<string, number>): () => Record<string, ProcessorUse> {
  const began = performance.now();
  const before = new Map(Object.entries(processes).map(([name, pid]) => [name, threadsOf(pid)]));
  return () => {
    const ns = (performance.now() - began) * NS_PER_MS;
    return Object.fromEntries(
      Object.entries(processes).map(([name, pid]) => [name, useOf(before.get(name)!, threadsOf(pid), ns)]),
    );
  };
}

function useOf(before: Map<string, Thread>, now: Map<string, Thread>, ns: number): ProcessorUse {
  const threads = [...now].map(([id, thread]) => ({
    ran: thread.ranNs - (before.get(id)?.ranNs ?? 0),
    waited: thread.waitedNs - (before.get(id)?.waitedNs ?? 0),
  }));
  const busiest = threads.reduce((most, thread) => (thread.ran > most.ran ? thread : most));
  const all = threads.reduce((sum, { ran }) => sum + ran, 0);
  return {
    used: rounded(all / ns),
    busiest: rounded(busiest.ran / ns),
    waited: rounded(busiest.waited / ns),
  };
}

/** Linux says of each thread how long it ran, and how long it was ready and had no core. */
function threadsOf(pid: number): Map<string, Thread> {
  const folder = `/proc/${pid}/task`;
  const threads = new Map<string, Thread>();
  for (const id of readdirSync(folder)) {
    const [ranNs, waitedNs] = statisticsOf(`${folder}/${id}/schedstat`).split(' ').map(Number);
    if (waitedNs !== undefined) threads.set(id, { ranNs: ranNs!, waitedNs });
  }
  return threads;
}

/** Empty for a thread that has ended meanwhile. */
function statisticsOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const rounded = (cores: number) => Math.round(cores * 100) / 100;
