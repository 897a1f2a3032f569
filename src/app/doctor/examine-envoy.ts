import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../config/config.js';
import { askEnvoy } from '../../envoy/envoy-state.js';
import { EXCHANGE_NAMESPACE, providerCluster, ROUTE_NAMESPACE } from '../../envoy/names.js';
import { isOlder } from '../../local/binaries/binaries.js';
import { ENVOY } from '../../local/binaries/programs.js';
import { workerCount } from '../workers/count.js';
import { type Finding, ok, problem } from './finding.js';

const RENDER_AGAIN = 'create its bootstrap again with `sluice envoy-config`, and restart Envoy with it';

/** The parts of Envoy's configuration without which requests, or Envoy itself, fail. */
const NEEDED = [
  ROUTE_NAMESPACE,
  EXCHANGE_NAMESPACE,
  'ext_proc_graceful_grpc_close',
  'max_cached_entry_idle_duration',
];

/** Even while Envoy drains, it reports that it is live. */
const ENDS_WITHIN_MS = 250;

/** Reports Envoy's version, and whether its configuration matches what the engine expects. */
export async function examineEnvoy(socket: string, config: Config): Promise<Finding[]> {
  const first = await examineVersion(socket);
  if (first.status === 'problem') return [first];
  const settings = await examineSettings(socket, config).catch(({ message }: Error) => [
    problem('envoy configuration', message, 'look at the log output of Envoy'),
  ]);
  await sleep(ENDS_WITHIN_MS);
  const last = await examineVersion(socket);
  return last.status === 'problem' ? [last] : [last, ...settings];
}

async function examineVersion(socket: string): Promise<Finding> {
  try {
    return findingOf(JSON.parse(await askEnvoy(socket, '/server_info')));
  } catch (error) {
    const remedy = 'start Envoy with the bootstrap of `sluice envoy-config`, on the same data directory';
    return problem('envoy', `no answer on ${socket}: ${(error as Error).message}`, remedy);
  }
}

function findingOf({ version = '', state = '' }: { version?: string; state?: string }): Finding {
  const number = /\/(\d+\.\d+\.\d+)/.exec(version)?.[1] ?? '';
  if (number === '' || isOlder(number, ENVOY.minimumVersion)) {
    const detail = `version ${number || version}: it cannot serve a chain of models, because it has no priority group specifier`;
    return problem('envoy', detail, `use Envoy ${ENVOY.minimumVersion} or later`);
  }
  if (state !== 'LIVE') return problem('envoy', `it is ${state}`, 'wait, or look at its log output');
  return ok('envoy', `version ${number}, live`);
}

async function examineSettings(socket: string, config: Config): Promise<Finding[]> {
  const dump = await askEnvoy(socket, '/config_dump');
  const missing = NEEDED.filter((name) => !dump.includes(name));
  const settings =
    missing.length === 0
      ? ok('envoy configuration', 'filters, route and runtime match this version')
      : problem('envoy configuration', `it lacks ${missing.join(', ')}`, RENDER_AGAIN);
  const clusters = await askEnvoy(socket, '/clusters');
  const absent = [...config.providers.values()]
    .map((provider) => providerCluster(provider))
    .filter((name) => !clusters.includes(`${name}::`));
  const providers =
    absent.length === 0
      ? ok('envoy clusters', `${config.providers.size} providers`)
      : problem(
          'envoy clusters',
          `missing: ${absent.join(', ')}`,
          'look in Envoy’s log output for a clusters file that it rejected',
        );
  return [settings, providers, ...examineWorkers(clusters, workerCount(config.engine))];
}

/** Compares the number of workers. Envoy has it from its own configuration, which may be older than the file. */
function examineWorkers(clusters: string, count: number): Finding[] {
  const known = new Set(clusters.match(/^engine-\d+(?=::)/gm)).size || 1;
  if (known !== count)
    return [
      problem('envoy workers', `Envoy knows ${known} workers, but the engine has ${count}`, RENDER_AGAIN),
    ];
  return count === 1 ? [] : [ok('envoy workers', String(count))];
}
