import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheDirectory } from '../../src/local/binaries/wheel.js';
import { runProgram } from '../../src/local/processes/run-program.js';
import { waitFor } from '../../src/local/processes/wait.js';

/** A Go module that contains the definitions of its resources and of the Gateway API. */
export const ENVOY_GATEWAY = { module: 'github.com/envoyproxy/gateway', version: 'v1.9.1' };

/** The path of a program that Go has built, or the reason why there is none. */
export type GoProgramResult = { binary: string } | { missing: string };

interface GoProgram {
  name: string;
  /** The environment variable with the path of an already built program. */
  pathVariable: string;
  /** What the program is built from. The cache has a program for each recipe. */
  recipe(): Promise<string>;
  /** Commands that build the program as the file `name` in their working directory. */
  commands(recipe: string): string[][];
}

const BUILD_TIMEOUT_MS = 45 * 60_000;
const LOOK_INTERVAL_MS = 500;
const COLLECTOR_BUILDER = 'go.opentelemetry.io/collector/cmd/builder@v0.150.0';
const COLLECTOR_MANIFEST = fileURLToPath(new URL('../fixtures/otelcol.yaml', import.meta.url));

/** OpenTelemetry's collector with the components that the manifest lists. */
export const COLLECTOR: GoProgram = {
  name: 'otelcol',
  pathVariable: 'OTELCOL_BIN',
  recipe: () => readFile(COLLECTOR_MANIFEST, 'utf8'),
  commands: () => [
    ['go', 'install', COLLECTOR_BUILDER],
    ['./builder', '--config', COLLECTOR_MANIFEST],
  ],
};

export const HELM: GoProgram = {
  name: 'helm',
  pathVariable: 'HELM_BIN',
  recipe: async () => 'helm.sh/helm/v4/cmd/helm@v4.3.1',
  commands: (module) => [['go', 'install', module]],
};

/**
 * Envoy Gateway's own command, which turns manifests into what the gateway sends to its Envoys. Building it takes five
 * minutes of CPU.
 */
export const EGCTL: GoProgram = {
  name: 'egctl',
  pathVariable: 'EGCTL_BIN',
  recipe: async () => `${ENVOY_GATEWAY.module}/cmd/egctl@${ENVOY_GATEWAY.version}`,
  commands: (module) => [['go', 'install', module]],
};

/**
 * Istio's pilot as a library, because it has no command that translates manifests without a cluster into what it sends to a
 * sidecar. The pinned modules are a snapshot of its main branch, the only form in which it is available. Building it takes
 * about 25 minutes of CPU.
 */
export const ISTIO = { module: 'istio.io/istio', version: 'v0.0.0-20260827124520-eed52ebb66ad' };
const ISTIO_PILOT_SOURCE = fileURLToPath(new URL('./istio-pilot/main.go', import.meta.url));
const ISTIO_MODULES = [
  `${ISTIO.module}@${ISTIO.version}`,
  'istio.io/api@v1.32.0',
  'google.golang.org/protobuf@v1.36.12',
];

export const ISTIO_PILOT: GoProgram = {
  name: 'istio-pilot',
  pathVariable: 'ISTIO_PILOT_BIN',
  recipe: async () => `${ISTIO_MODULES.join(' ')}\n${await readFile(ISTIO_PILOT_SOURCE, 'utf8')}`,
  commands: () => [
    ['go', 'mod', 'init', 'pilot'],
    ['go', 'get', ...ISTIO_MODULES],
    ['cp', ISTIO_PILOT_SOURCE, 'main.go'],
    ['go', 'build', '-mod=mod', '-o', 'istio-pilot', '.'],
  ],
};

export const GO_PROGRAMS = [COLLECTOR, HELM];

/**
 * Builds the program once for each user and keeps it in the user's cache. Two callers at the same time build it once.
 */
export async function goProgram(program: GoProgram): Promise<GoProgramResult> {
  const named = process.env[program.pathVariable];
  if (named) return { binary: named };
  let recipe: string;
  try {
    recipe = await program.recipe();
  } catch (error) {
    return { missing: `${program.name} cannot be built: ${(error as Error).message}` };
  }
  const hash = createHash('sha256').update(recipe).digest('hex').slice(0, 16);
  const home = join(cacheDirectory(process.env), `${program.name}-${hash}`);
  const binary = join(home, program.name);
  if (await exists(binary)) return { binary };
  const go = await runProgram('go', ['version'], { environment: process.env });
  if (go.code !== 0) return { missing: `${program.name} is built with Go, which is not here` };
  await mkdir(home, { recursive: true });
  return builtOnce(home, binary, () => build(program, recipe, home));
}

/** Waits for a build that another process has begun. */
async function builtOnce(
  home: string,
  binary: string,
  work: () => Promise<string | undefined>,
): Promise<GoProgramResult> {
  const lock = join(home, 'building');
  while (true) {
    if (await exists(binary)) return { binary };
    if (await takeLock(lock)) break;
    await waitFor('the other build', async () => (await exists(binary)) || !(await isHeld(lock)), {
      timeoutMs: BUILD_TIMEOUT_MS,
      intervalMs: LOOK_INTERVAL_MS,
    });
    if (!(await exists(binary))) await rm(lock, { force: true });
  }
  try {
    const problem = await work();
    return problem === undefined ? { binary } : { missing: problem };
  } finally {
    await rm(lock, { force: true });
  }
}

async function build(program: GoProgram, recipe: string, home: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(home, 'build-'));
  // Without optimization the build takes half the time.
  const environment = {
    ...process.env,
    GOBIN: folder,
    CGO_ENABLED: '0',
    GOFLAGS: '-buildvcs=false "-gcflags=all=-N -l" -ldflags=-s',
  };
  try {
    for (const [command, ...parameters] of program.commands(recipe)) {
      const options = { environment, cwd: folder, timeoutMs: BUILD_TIMEOUT_MS };
      const result = await runProgram(command!, parameters, options);
      if (result.code !== 0) return `${program.name} could not be built: ${result.problem}`;
    }
    await rename(join(folder, program.name), join(home, program.name));
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function takeLock(lock: string): Promise<boolean> {
  return writeFile(lock, String(process.pid), { flag: 'wx' }).then(
    () => true,
    () => false,
  );
}

/** Whether a lock is held. It counts while its process lives, and while it is being written. */
async function isHeld(lock: string): Promise<boolean> {
  const text = await readFile(lock, 'utf8').catch(() => undefined);
  if (text === undefined || text === '') return text === '';
  try {
    return process.kill(Number(text), 0);
  } catch {
    return false;
  }
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
