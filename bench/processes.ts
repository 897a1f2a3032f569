import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../src/local/binaries/binaries.js';
import { MONGOD } from '../src/local/binaries/programs.js';
import { enginePart } from '../src/local/parts/engine.js';
import { mongodPart, mongodUri } from '../src/local/parts/mongod.js';
import { reservePort } from '../src/local/ports.js';
import type { Child } from '../src/local/processes/child.js';
import { startPart } from '../src/local/processes/part.js';

/** The key of engines in the configuration that `startAdmin` writes. */
export const ENGINE_KEY = 'bench-engines';

export interface Started {
  child: Child;
  /** The process's URL. */
  url: string;
}

/** Starts a mongod of its own in an existing folder. */
export async function startMongod(folder: string): Promise<Started> {
  const { port } = await reservePort();
  const part = mongodPart({
    binary: await findProgram(MONGOD, { environment: process.env, report: console.error }),
    port,
    dataPath: join(folder, 'mongod'),
    logPath: join(folder, 'mongod.log'),
    ownGroup: false,
    environment: process.env,
  });
  return { child: await startPart(part), url: mongodUri(port, 'bench') };
}

/** Starts a built admin service: run `npm run build` before. */
export async function startAdmin(folder: string, mongodbUri: string): Promise<Started> {
  const { port } = await reservePort();
  const url = `http://127.0.0.1:${port}`;
  const configPath = join(folder, 'sluice.yaml');
  writeFileSync(configPath, JSON.stringify({ directory: { key: ENGINE_KEY } }));
  const dataFolder = join(folder, 'admin');
  mkdirSync(dataFolder);
  const part = enginePart({
    configPath,
    adminUrl: url,
    role: 'admin',
    environment: {
      ...process.env,
      MONGODB_URI: mongodbUri,
      SLUICE_ADMIN_PORT: String(port),
      SLUICE_DATA_DIR: dataFolder,
    },
    logPath: join(folder, 'admin.log'),
    ownGroup: false,
  });
  return { child: await startPart(part), url };
}

/** The CPU milliseconds that the process has used since it started. */
export function cpuMsOf({ child }: Started): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

export function residentMibOf({ child }: Started): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024;
}
