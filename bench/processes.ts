import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../src/local/binaries/binaries.js';
import { MONGOD } from '../src/local/binaries/programs.js';
import { enginePart } from '../src/local/parts/engine.js';
import { mongodPart, mongodUri } from '../src/local/parts/mongod.js';
import { reservePort } from '../src/local/ports.js';
import type { Child } from '../src/local/processes/child.js';
import { startPart } from '../src/local/processes/part.js';

/** Of engines, with what `startAdmin` started. */
export const ENGINE_KEY = 'bench-engines';

export interface Started {
  child: Child;
  /** Where it is. */
  url: string;
}

/** A mongod of its own, in a folder that is there. */
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

/** An admin service that is built: `npm run build` before. */
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

/** CPU that it used since it started. */
export function cpuMsOf({ child }: Started): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

export function residentMibOf({ child }: Started): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1024;
}
