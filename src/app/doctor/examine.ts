import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { urlOf } from '../../config/addresses.js';
import type { Config } from '../../config/config.js';
import type { Environment } from '../../config/environment.js';
import { isJsonObject, type JsonValue, parseJson } from '../../core/json.js';
import type { MaybePromise } from '../../core/pacing/maybe-promise.js';
import type { Provider } from '../../core/settings.js';
import { counted } from '../../core/texts/counted.js';
import { ENVOY_ADMIN_SOCKET } from '../../envoy/names.js';
import { readTraceCollector } from '../../envoy/tracing.js';
import type { Role } from '../../process/role.js';
import type { Store } from '../../store/store.js';
import { chooseExporters } from '../../telemetry/exporters.js';
import { socketsOf } from '../workers/count.js';
import { examineEnvoy } from './examine-envoy.js';
import { type Finding, ok, problem, skipped } from './finding.js';
import { findingsOf } from './members.js';
import { examineModels, modelsIn } from './models.js';
import { connectionProblem, engineProblem, NO_ANSWER } from './network.js';

export interface Patient {
  role: Role;
  config: Config;
  environment: Environment;
  env: NodeJS.ProcessEnv;
  /** Set where the file has mistakes, so that `config` has only its valid parts. */
  isPartial?: boolean;
  /** MongoDB; absent where an engine uses an admin service. */
  store?: Pick<Store, 'diagnose' | 'clockOffsetMs' | 'members'>;
}

/** The system refuses a longer path for a Unix socket. */
const SOCKET_PATH_BYTES = 107;
const CLOCK_LIMIT_MS = 1_000;
const START_ANEW = 'look at the end of its log output, and restart it';

/** Checks a deployment from inside. It changes nothing and calls no model. */
export async function examine(patient: Patient): Promise<Finding[]> {
  const findings = await Promise.all([
    examineKeys(patient),
    examineData(patient),
    examineEngine(patient),
    examineAdminPort(patient),
    examineStore(patient),
    examineMembers(patient),
    ...[...patient.config.providers.values()].map((provider) => examineOne(provider, patient)),
    ...examineAdminService(patient),
    examineCollector(patient),
  ]);
  return findings.flat();
}

/** Checks that a provider accepts connections before its models are asked for. */
async function examineOne(provider: Provider, { config }: Patient): Promise<Finding> {
  const finding = await examineTarget(`provider ${provider.name}`, new URL(provider.base_url));
  return finding.status === 'ok' ? examineModels(provider, modelsIn(config, provider.name)) : finding;
}

function examineKeys({ role, config, isPartial }: Patient): Finding {
  if (isPartial) return skipped('keys', 'not counted, because the file has mistakes');

  const clients = config.projects.reduce((sum, project) => sum + project.keys.length, 0);
  if (role !== 'engine' && config.adminKeys.length === 0) {
    return problem('keys', 'there is no admin key', 'set SLUICE_ADMIN_KEY, or `admin_keys` in sluice.yaml');
  }
  return ok(
    'keys',
    `the file has ${counted(config.adminKeys.length, 'admin key')} and ${counted(clients, 'client key')}`,
  );
}

function examineData({ config, environment }: Patient): Finding {
  const data = resolve(environment.dataFolder);
  const remedy = 'set SLUICE_DATA_DIR to a directory that this user can write to';
  if (!existsSync(data)) return problem('data directory', `${data} does not exist`, remedy);
  try {
    accessSync(data, constants.W_OK);
  } catch {
    return problem('data directory', `${data} cannot be written to`, remedy);
  }
  if (Buffer.byteLength(join(data, ENVOY_ADMIN_SOCKET)) > SOCKET_PATH_BYTES) {
    return problem(
      'data directory',
      `the path ${data} is too long for a Unix socket in it`,
      'use a shorter path',
    );
  }
  const { bavail, bsize } = statfsSync(data);
  const free = bavail * bsize;
  const detail = `${data}, ${Math.round(free / 2 ** 20)} MiB free`;
  return free < config.spool.max_bytes
    ? problem(
        'data directory',
        `${detail}: less than spool.max_bytes`,
        'free some space, or lower spool.max_bytes',
      )
    : ok('data directory', detail);
}

async function examineEngine({ role, config, environment }: Patient): Promise<Finding[]> {
  if (role === 'admin') return [skipped('engine', 'an admin service has no engine')];
  const data = resolve(environment.dataFolder);
  const sockets = socketsOf(config.engine, data);
  const workers = sockets.map(async (socket, index) => {
    const check = sockets.length === 1 ? 'engine' : `engine worker ${index + 1}`;
    const failure = await engineProblem(socket);
    if (failure === undefined) return ok(check, 'answers');
    return failure === NO_ANSWER
      ? problem(check, `it hangs: ${failure}`, START_ANEW)
      : problem(check, `no connection to its socket: ${failure}`, 'start `sluice serve`');
  });
  const envoy = examineEnvoy(join(data, ENVOY_ADMIN_SOCKET), config);
  return [...(await Promise.all(workers)), ...(await envoy)];
}

async function examineAdminPort({ environment }: Patient): Promise<Finding> {
  const url = `${urlOf(environment.adminHost, environment.adminPort)}/healthz/ready`;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) });
    const text = (await answer.text()).slice(0, 1_000);
    const report = parseJson(text);
    if (answer.status === 200 && isJsonObject(report) && report.status === 'ready')
      return ok('readiness', text);
    return problem('readiness', `${answer.status} ${text}`, remedyFor(report));
  } catch (error) {
    const hangs = (error as Error).name === 'TimeoutError';
    return problem(
      'readiness',
      `${url}: ${causeOf(error)}`,
      hangs ? START_ANEW : 'start `sluice serve`, or set SLUICE_ADMIN_PORT',
    );
  }
}

const REMEDIES: Record<string, string> = {
  directory:
    'check that MongoDB, or the admin service and its MongoDB, can be reached; until then requests use the last known projects and keys',
  logs: 'check that the admin service accepts logs and reaches MongoDB; until then logs wait in the spool',
  mongodb: 'check that MongoDB can be reached; until then logs wait in the spool',
  envoy: 'start Envoy, or look at its log output',
};

/** What to do about the first part that is not ready and for which a remedy is known. */
function remedyFor(report: JsonValue | undefined): string {
  const parts = isJsonObject(report) && isJsonObject(report.parts) ? report.parts : {};
  const part = Object.keys(parts).find((name) => parts[name] !== 'ready' && Object.hasOwn(REMEDIES, name));
  return part === undefined ? 'look at the part that is not ready' : REMEDIES[part]!;
}

async function examineStore({ store, role, isPartial }: Patient): Promise<Finding[]> {
  if (store === undefined && isPartial)
    return [skipped('mongodb', 'because of the mistakes it is not known whether this engine uses MongoDB')];
  if (store === undefined) return [skipped('mongodb', 'only the admin service uses it')];
  try {
    const { version, topology, writable, missingIndexes } = await store.diagnose();
    const offsetMs = await store.clockOffsetMs();
    const findings = [
      topology === 'single'
        ? problem('mongodb', `${version}, standalone`, 'make it a replica set; one member is enough')
        : ok('mongodb', `${version}, ${topology}${writable ? '' : ', read from a secondary'}`),
      missingIndexes.length === 0
        ? ok('indexes', 'all there')
        : problem(
            'indexes',
            `missing: ${missingIndexes.join(', ')}`,
            role === 'engine' ? 'start an admin service, which creates them' : 'wait until they are built',
          ),
      Math.abs(offsetMs) > CLOCK_LIMIT_MS
        ? problem('clock', `${Math.round(offsetMs)} ms ahead of MongoDB's`, 'run a time service on both')
        : ok('clock', `${Math.round(offsetMs)} ms ahead of MongoDB's`),
    ];
    return findings;
  } catch (error) {
    return [problem('mongodb', causeOf(error), 'check MONGODB_URI, and that MongoDB is running')];
  }
}

/** Examines the members of the replica set. A database that cannot be reached was already reported. */
async function examineMembers({ store }: Patient): Promise<Finding[]> {
  try {
    const members = store === undefined ? [] : await store.members();
    if (members !== undefined) return findingsOf(members);
    const reason = 'it is no replica set, or the user lacks the role clusterMonitor';
    return [skipped('mongodb members', reason)];
  } catch {
    return [];
  }
}

async function examineTarget(check: string, url: URL): Promise<Finding> {
  const failure = await connectionProblem(url);
  return failure === undefined
    ? ok(check, `${url.origin} accepts connections`)
    : problem(check, `${url.origin}: ${failure}`, 'check the address, the network and the certificate');
}

/** Examines the admin service that an engine uses. */
function examineAdminService({ role, config }: Patient): Promise<Finding>[] {
  const { directory, logs } = config;
  const targets = role === 'engine' ? { directory: directory.from, logs: logs.to } : {};
  return Object.entries(targets).flatMap(([check, url]) =>
    url === undefined ? [] : [examineTarget(check, new URL(url))],
  );
}

function examineCollector({ env }: Patient): MaybePromise<Finding> {
  if (!chooseExporters(env).otlpTraces) return skipped('collector', 'no variable OTEL_* names one');
  return examineTarget('collector', readTraceCollector(env).url);
}

function causeOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== ''
    ? `${message.replace(/\.$/, '')}: ${cause.message}`
    : message;
}
