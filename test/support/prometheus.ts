import { access, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { cacheDirectory } from '../../src/local/binaries/wheel.js';
import { reservePort } from '../../src/local/ports.js';
import { Child, plainEnvironment } from '../../src/local/processes/child.js';
import { startPart } from '../../src/local/processes/part.js';
import { runProgram } from '../../src/local/processes/run-program.js';
import { waitFor } from '../../src/local/processes/wait.js';

/** The folder with `prometheus` and `promtool`, or the reason why there is none. */
export type PrometheusPrograms = { programs: string } | { missing: string };

/**
 * Prometheus on the PATH; else Debian's package, unpacked once into the user's cache, which needs no special rights.
 */
export async function findPrometheus(): Promise<PrometheusPrograms> {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    if (await has(folder)) return { programs: folder };
  }
  const home = join(cacheDirectory(process.env), 'prometheus-debian');
  const programs = join(home, 'usr', 'bin');
  if (await has(programs)) return { programs };
  await mkdir(cacheDirectory(process.env), { recursive: true });
  const workplace = await mkdtemp(join(cacheDirectory(process.env), 'fetch-'));
  try {
    const options = { environment: process.env, cwd: workplace, timeoutMs: 120_000 };
    const fetched = await runProgram('apt-get', ['download', 'prometheus'], options);
    const file = (await readdir(workplace)).find((name) => name.endsWith('.deb'));
    if (fetched.code !== 0 || file === undefined) {
      return { missing: `no prometheus on the PATH, and apt-get gives none: ${fetched.problem}` };
    }
    const unpacked = await runProgram('dpkg-deb', ['-x', file, join(workplace, 'root')], options);
    if (unpacked.code !== 0) return { missing: unpacked.problem };
    await rename(join(workplace, 'root'), home).catch(() => {}); // Another process has already unpacked it.
    return (await has(programs)) ? { programs } : { missing: 'the package of prometheus has no programs' };
  } finally {
    await rm(workplace, { recursive: true, force: true });
  }
}

async function has(folder: string): Promise<boolean> {
  const found = ['prometheus', 'promtool'].map((name) => access(join(folder, name)));
  return Promise.all(found).then(
    () => true,
    () => false,
  );
}

export interface Prometheus {
  /** The current result of a query. Rejects where the query is not valid. */
  query(expression: string): Promise<{ metric: Record<string, string>; value: [number, string] }[]>;
  /** The labels of the exemplars that it has stored since its start for a query's series. */
  exemplars(expression: string): Promise<Record<string, string>[]>;
  stop(): Promise<void>;
}

/** Starts Prometheus, which scrapes `target`, a host with its port, as the job `sluice`. */
export async function startPrometheus(programs: string, folder: string, target: string): Promise<Prometheus> {
  const { port, release } = await reservePort();
  const config = join(folder, 'prometheus.json');
  await writeFile(
    config,
    JSON.stringify({
      global: { scrape_interval: '500ms', scrape_timeout: '500ms' },
      scrape_configs: [{ job_name: 'sluice', static_configs: [{ targets: [target] }] }],
    }),
  );
  const url = `http://127.0.0.1:${port}`;
  const child = await startPart({
    name: 'prometheus',
    note: '',
    stopPatienceMs: 10_000,
    spawn: () =>
      Child.start({
        name: 'prometheus',
        command: join(programs, 'prometheus'),
        arguments: [
          `--config.file=${config}`,
          `--storage.tsdb.path=${join(folder, 'tsdb')}`,
          `--web.listen-address=127.0.0.1:${port}`,
          '--enable-feature=exemplar-storage',
        ],
        environment: plainEnvironment(process.env),
        logPath: join(folder, 'prometheus.log'),
        ownGroup: false,
      }),
    ready: async (signal) => {
      const ready = async () => (await fetch(`${url}/-/ready`)).status === 200;
      await waitFor('Prometheus is ready', ready, { timeoutMs: 30_000, signal });
    },
  });
  return {
    async query(expression) {
      const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`);
      const answer = (await response.json()) as { status: string; error?: string; data: { result: [] } };
      if (answer.status !== 'success') throw new Error(`${expression}: ${answer.error}`);
      return answer.data.result;
    },
    async exemplars(expression) {
      const end = Date.now() / 1000 + 60;
      const range = new URLSearchParams({ query: expression, start: String(end - 600), end: String(end) });
      const response = await fetch(`${url}/api/v1/query_exemplars?${range}`);
      const answer = (await response.json()) as {
        data: { exemplars: { labels: Record<string, string> }[] }[];
      };
      return answer.data.flatMap(({ exemplars }) => exemplars.map(({ labels }) => labels));
    },
    async stop() {
      await child.stop(10_000);
      await release();
    },
  };
}
