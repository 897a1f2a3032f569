import { spawnSync } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Source code of one kind that is installed on this machine. */
export interface InstalledCode {
  name: string;
  /**
   * Texts with about `units` UTF-16 units together, from files spread over everything that is installed; empty where nothing
   * is.
   */
  texts(units: number): string[];
}

const LARGEST_FILE = 100_000;
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Files of this project that contain many names on purpose: tests and lists of names. */
const FULL_OF_NAMES = /\/src\/(?:.*\.test|plugins\/stand-ins\/.*|pii\/names\/scripts\/other-scripts)\.ts$/;

/**
 * Source code to test on: the packages and sources of this project, and the standard libraries of other languages.
 */
export function installedCode(): InstalledCode[] {
  const packages = join(ROOT, 'node_modules');
  const go = output('go', 'env', 'GOROOT');
  const python = output('python3', '-c', 'import sysconfig; print(sysconfig.get_path("stdlib"))');
  const perl = output('perl', '-MConfig', '-e', 'print $Config{privlibexp}');
  return [
    filesOf('TypeScript', packages, '.ts'),
    filesOf('JavaScript', packages, '.js'),
    filesOf('JSON', packages, '.json'),
    filesOf('package.json', packages, '/package.json'),
    // All READMEs and no sample, because a few of them list people, so that samples would differ too much.
    { name: 'READMEs', texts: () => [...new Set([...walk(packages, '/README.md')].map(read))] },
    // All sources and no sample, because a sixth of them are rules for names, so that samples would differ too much.
    { name: 'this project', texts: () => [...walk(join(ROOT, 'src'), '.ts')].map(read) },
    filesOf('Python', python, '.py'),
    filesOf('Go', go && join(go, 'src'), '.go'),
    filesOf('C', '/usr/include', '.h'),
    filesOf('Perl', perl, '.pm'),
    { name: 'Java', texts: javaSources },
    { name: 'shell', texts: (units) => sample(shellScripts(), units, read) },
  ];
}

function filesOf(name: string, folder: string, ending: string): InstalledCode {
  const isThere = folder !== '' && existsSync(folder);
  return {
    name,
    texts: (units) => (isThere ? sample([...walk(folder, ending)], units, read) : []),
  };
}

/** Folders that do not belong to the library itself. */
const LEFT_OUT = /^(?:tests?|site-packages)$/;

function* walk(folder: string, ending: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort(byName)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !LEFT_OUT.test(entry.name)) yield* walk(path, ending);
    else if (entry.isFile() && path.endsWith(ending) && !FULL_OF_NAMES.test(path) && isSmall(path))
      yield path;
  }
}

function byName({ name: one }: { name: string }, { name: other }: { name: string }): number {
  return one < other ? -1 : 1;
}

/** The mean size of a source file, in UTF-16 units. */
const UNITS_OF_FILE = 4_918;

/** Takes every n-th file, until the texts have `units` in all. */
function sample(paths: readonly string[], units: number, textOf: (path: string) => string): string[] {
  const step = Math.max(1, Math.floor((paths.length * UNITS_OF_FILE) / units));
  const texts: string[] = [];
  let left = units;
  for (let index = 0; index < paths.length && left > 0; index += step) {
    const text = textOf(paths[index]!);
    texts.push(text);
    left -= text.length;
  }
  return texts;
}

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

function isSmall(path: string): boolean {
  return statSync(path).size < LARGEST_FILE;
}

/** The sources that come with a JDK. */
function javaSources(units: number): string[] {
  const settings = output('java', '-XshowSettings:properties', '-version');
  const home = /java\.home = (.+)/.exec(settings)?.[1];
  if (home === undefined) return [];
  // Where several versions are installed, only some of them have sources.
  const homes = [home, ...readdirSync(dirname(home)).map((name) => join(dirname(home), name))];
  const archive = homes.map((one) => join(one, 'lib', 'src.zip')).find(existsSync);
  if (archive === undefined) return [];
  const names = output('unzip', '-Z1', archive)
    .split('\n')
    .filter((name) => /^java\.base\/java\/.*\.java$/.test(name));
  return sample(names, units, (name) => output('unzip', '-p', archive, name));
}

/** The shell scripts on the PATH. */
function shellScripts(): string[] {
  const folders = new Set((process.env.PATH ?? '').split(':').filter((folder) => existsSync(folder)));
  return [...folders]
    .flatMap((folder) =>
      readdirSync(folder)
        .sort()
        .map((name) => join(folder, name)),
    )
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() && isSmall(path))
    .filter((path) => /^#!.*sh\b/.test(head(path)));
}

function head(path: string): string {
  const bytes = Buffer.alloc(64);
  const file = openSync(path, 'r');
  try {
    return bytes.toString('latin1', 0, readSync(file, bytes)).split('\n')[0]!;
  } finally {
    closeSync(file);
  }
}

/**
 * What a program prints; empty where it is not installed. Standard error counts too, because Java prints its settings there.
 */
function output(command: string, ...parameters: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, parameters, { encoding: 'utf8', maxBuffer: 1 << 26 });
  return status === 0 ? (stdout || stderr).trim() : '';
}
