import type { TestProject } from 'vitest/node';
import { findProgram } from '../../src/local/binaries/binaries.js';
import { ENVOY, MONGOD, type Program } from '../../src/local/binaries/programs.js';
import { startPart } from '../../src/local/processes/part.js';
import { messageOf } from '../../src/local/processes/start-error.js';
import { findChromium } from './find-chromium.js';
import { endKeptSystems, openKeptSystems } from './kept-systems.js';
import { newMongod } from './new-mongod.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Path of the binary, or null with the reason in `missing`. */
    envoyBinary: string | null;
    /** Port of the one mongod that all test files share; each file has a database of its own. */
    mongodPort: number | null;
    /** Why tests that need the real programs cannot run; null where they can. */
    missing: string | null;
    /** The folder in which test processes note the systems that they keep until the end of the run. */
    keptSystems: string;
    /** Path of the browser, or null. */
    chromium: string | null;
  }
}

/** Finds the real programs and starts one mongod for the whole run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const problems: string[] = [];
  const find = (program: Program) =>
    findProgram(program, { environment: process.env, report: (line) => console.log(line) }).catch((error) => {
      problems.push(messageOf(error));
      return null;
    });
  const envoyBinary = await find(ENVOY);
  const mongodBinary = await find(MONGOD);
  project.provide('envoyBinary', envoyBinary);
  const chromium = await findChromium(process.env);
  if ('problem' in chromium) console.log(`The tests of the dashboard are skipped: ${chromium.problem}.`);
  project.provide('chromium', 'path' in chromium ? chromium.path : null);
  const mongod = mongodBinary === null ? undefined : await startMongod(mongodBinary);
  project.provide('mongodPort', mongod?.port ?? null);
  project.provide('missing', problems.length === 0 ? null : problems.join('\n'));
  const keptSystems = await openKeptSystems();
  project.provide('keptSystems', keptSystems);
  return async () => {
    await endKeptSystems(keptSystems);
    await mongod?.stop();
  };
}

async function startMongod(binary: string): Promise<{ port: number; stop: () => Promise<void> }> {
  const { part, port, remove } = await newMongod(binary);
  const child = await startPart(part);
  const stop = async () => {
    await child.stop(part.stopPatienceMs);
    await remove();
  };
  return { port, stop };
}
