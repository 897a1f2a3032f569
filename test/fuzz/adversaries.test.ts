import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import {
  COMPLETION,
  type Gateway,
  gatewayConfig,
  KEYS,
  OTHER_PROJECT,
  startGateway,
} from '../support/gateway.js';
import { missingPrograms } from '../support/start-sluice.js';
import { HOSTILE_CLIENTS, type Target } from './adversaries/hostile-clients.js';
import { HOSTILE_MODELS, TALKATIVE } from './adversaries/hostile-models.js';
import { type ProcessorUse, processorUse } from './adversaries/processor-use.js';
import { type Figures, HonestUser } from './honest-user.js';

/** Of each adversary. */
const SECONDS = Number(process.env.ADVERSARY_SECONDS ?? 20);
const P99_GROWTH_MS = Number(process.env.FUZZ_P99_MS ?? 100);
const MEMORY_GROWTH_MIB = 200;
const LIVE_MS = 1_000;
const LOOK_MS = 250;
/** Of what an honest system does a second, with room. */
const MOST_OPERATIONS = 3_000;

const MALLORY = '00000000-0000-4000-8000-00000000000a';
const MALLORY_KEY = 'sk-mallory';
const PATH = `/${MALLORY}/openai/v1/chat/completions`;
const SCRIPT = fileURLToPath(new URL('adversaries/run.ts', import.meta.url));
const LOADING = ['--import', fileURLToPath(new URL('../support/typescript-loader.mjs', import.meta.url))];

/** An adversary that waits for a core for a longer share of its time has hardly attacked. */
const BUSY = 0.9;

/** How the answers of a hostile model are looked at. */
const WAYS = ['plain', 'guarded', 'chain'] as const;
const guard = {
  plugin: 'pii_detection',
  phases: ['response'],
  config: { entities: ['PERSON'], mask: true, reject_on_detection: false },
};

/** What a moment of an attack looked like. */
interface Measured {
  honest: Record<string, Figures>;
  /** Of the engine and of Envoy at most, in MiB. */
  memory: { engine: number; envoy: number };
  /** The longest answer of `/healthz/live`; infinity for none. */
  liveMs: number;
  /** Commands of MongoDB a second. */
  operations: number;
  /** What each process had of the processor. */
  cores: Record<string, ProcessorUse>;
}

describe.skipIf(missingPrograms !== null)(`adversaries, ${SECONDS} s each`, () => {
  let gateway: Gateway;
  let users: Record<string, HonestUser>;
  let models: ChildProcess;
  let goodModels: ChildProcess;
  let calm: Measured;

  beforeAll(async () => {
    models = start('models');
    goodModels = fork(SCRIPT, ['models', JSON.stringify(COMPLETION)], { execArgv: LOADING });
    const [hostile, good] = await Promise.all([models, goodModels].map(urlOf));
    gateway = await startGateway({
      providers: () => ({
        fake: { api: 'openai', base_url: good! },
        hostile: { api: 'openai', base_url: hostile! },
      }),
      settings: { projects: projects() },
    });
    users = {
      one: new HonestUser(gateway),
      other: new HonestUser(gateway, {
        path: `/${OTHER_PROJECT}/openai/v1/chat/completions`,
        key: KEYS.other,
      }),
    };
    await sleep(5_000);
    calm = await measured(SECONDS);
    console.log(JSON.stringify({ calm }));
  });
  afterAll(async () => {
    for (const user of Object.values(users ?? {})) user.stop();
    models?.kill();
    goodModels?.kill();
    await gateway?.stop();
  });

  it.each(Object.keys(HOSTILE_CLIENTS))('%s: harm nobody else', async (name) => {
    await withstood(name, 'client', name, TALKATIVE);
  });

  it.each(
    Object.keys(HOSTILE_MODELS).flatMap((name, at) =>
      WAYS.map((way) => ({ name, way, endpoint: `${way}-${at}` })),
    ),
  )('a model with $name, $way: nobody else is harmed', async ({ name, way, endpoint }) => {
    await withstood(`${name}, ${way}`, 'readers', '', endpoint);
  });

  async function withstood(told: string, kind: string, name: string, endpoint: string): Promise<void> {
    const { engine, envoy } = gateway.sluice;
    const pids = [engine.pid, envoy.pid];
    const lost = await engineConnectionsLost();
    const target: Target = { gatewayUrl: gateway.sluice.gatewayUrl, path: PATH, key: MALLORY_KEY, endpoint };
    const adversary = start(kind, name, JSON.stringify(target));
    const during = await measured(SECONDS, adversary.pid);
    const isAttacking = adversary.exitCode === null;
    adversary.kill('SIGKILL');
    console.log(JSON.stringify({ adversary: told, ...during }));
    expect(isAttacking, 'the adversary ended by itself').toBe(true);
    expect(during.cores.adversary!.waited, 'the machine is too busy for a verdict').toBeLessThan(BUSY);
    expect([engine.running, envoy.running, engine.pid, envoy.pid]).toEqual([true, true, ...pids]);
    expect(await engineConnectionsLost()).toBe(lost);
    for (const [user, figures] of Object.entries(during.honest)) {
      expect([user, figures.failed]).toEqual([user, 0]);
      expect(figures.count).toBeGreaterThan(0);
      expect(figures.p99 - calm.honest[user]!.p99, `p99 of ${user}`).toBeLessThan(P99_GROWTH_MS);
    }
    expect(during.memory.engine - calm.memory.engine).toBeLessThan(MEMORY_GROWTH_MIB);
    expect(during.liveMs).toBeLessThan(LIVE_MS);
    expect(during.operations).toBeLessThan(MOST_OPERATIONS);
  }

  async function measured(seconds: number, adversary?: number): Promise<Measured> {
    for (const user of Object.values(users)) user.clear();
    const used = processorUse({
      engine: gateway.sluice.engine.pid,
      envoy: gateway.sluice.envoy.pid,
      models: models.pid!,
      ...(adversary === undefined ? {} : { adversary }),
    });
    const memory = { engine: 0, envoy: 0 };
    const [began, before] = [performance.now(), await operationsSoFar()];
    let liveMs = 0;
    while (performance.now() - began < seconds * 1_000) {
      liveMs = Math.max(liveMs, await liveness());
      memory.engine = Math.max(memory.engine, residentMib(gateway.sluice.engine.pid));
      memory.envoy = Math.max(memory.envoy, residentMib(gateway.sluice.envoy.pid));
      await sleep(LOOK_MS);
    }
    const operations = ((await operationsSoFar()) - before) / seconds;
    const honest = Object.fromEntries(Object.entries(users).map(([name, user]) => [name, user.figures()]));
    return { honest, memory, liveMs: Math.round(liveMs), operations: Math.round(operations), cores: used() };
  }

  async function liveness(): Promise<number> {
    const began = performance.now();
    const url = `${gateway.sluice.adminUrl}/healthz/live`;
    const response = await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
    return response?.status === 200 ? performance.now() - began : Number.POSITIVE_INFINITY;
  }

  async function operationsSoFar(): Promise<number> {
    const { opcounters } = await gateway.sluice.database.admin().serverStatus();
    const counts = opcounters as Record<string, number>;
    return ['insert', 'query', 'update', 'delete', 'getmore', 'command'].reduce(
      (sum, kind) => sum + (counts[kind] ?? 0),
      0,
    );
  }

  async function engineConnectionsLost(): Promise<number> {
    const stats = await gateway.sluice.envoyAdmin.stats(
      '^cluster\\.engine(-attempts)?\\.upstream_cx_destroy_with_active_rq$',
    );
    return [...stats.values()].reduce((sum, count) => sum + count, 0);
  }
});

/**
 * Starts an adversary, or its models. Both would be on other machines, so they get what the others leave of this one's cores: honest
 * requests must not wait for them only because they run here.
 */
function start(...words: string[]): ChildProcess {
  const child = fork(SCRIPT, words, { execArgv: LOADING });
  setPriority(child.pid!, constants.priority.PRIORITY_LOW);
  return child;
}

/** Models tell their port once they listen. */
async function urlOf(models: ChildProcess): Promise<string> {
  const [port] = await once(models, 'message');
  return `http://127.0.0.1:${port}/v1`;
}

function residentMib(pid: number): number {
  const [, kib = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kib) / 1024);
}

/** Two honest projects, and the adversary's. */
function projects(): JsonObject[] {
  const [honest, other] = gatewayConfig('http://127.0.0.1:1').projects as JsonObject[];
  const good = { provider: 'fake', model: 'large' };
  const hostile = Object.keys(HOSTILE_MODELS).flatMap((_name, at) => {
    const model = { provider: 'hostile', model: String(at) };
    return WAYS.map((way) => ({
      name: `${way}-${at}`,
      models: way === 'chain' ? [model, good] : [model],
      plugins: way === 'plain' ? [] : [guard],
    }));
  });
  return [
    honest!,
    { ...other!, endpoints: [{ name: 'support', models: [good] }] },
    {
      uid: MALLORY,
      name: 'mallory',
      api_keys: [{ name: 'mallory', key: MALLORY_KEY, scopes: ['inference'] }],
      endpoints: [{ name: TALKATIVE, models: [{ provider: 'hostile', model: TALKATIVE }] }, ...hostile],
    },
  ];
}
