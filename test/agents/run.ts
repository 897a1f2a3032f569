import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Agent, Setting, Turn } from './agents.js';
import type { Installed } from './install.js';
import { runInGroup } from './run-in-group.js';

const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Longer than one turn takes on a machine that does much else. */
const RUN_MS = 150_000;

/** An agent with its configuration, in a folder of its own. Each turn is one run of its program. */
export interface OpenAgent {
  /** What it printed. `signal` ends it, as a user does who has seen enough. */
  run(turn: Turn, signal?: AbortSignal): Promise<string>;
  folder: string;
  /** The path of a picture that it may read. */
  picture: string;
}

export async function openAgent(
  agent: Agent,
  installed: Installed,
  where: Pick<Setting, 'project' | 'key' | 'model'> & { root: string },
): Promise<OpenAgent> {
  const { root, ...gateway } = where;
  const home = join(root, `${agent.name.replaceAll(' ', '-')}-${gateway.model}`);
  const folder = join(home, 'work');
  await mkdir(folder, { recursive: true });
  // Agents read no file from outside of the folder that they work in.
  const picture = join(folder, 'picture.png');
  await writeFile(picture, PICTURE);
  const setting: Setting = { home, folder, ...gateway };
  await agent.prepare?.(setting);
  const [command, ...first] = commandOf(agent, installed);
  const environment = {
    PATH: process.env.PATH,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_CACHE_HOME: join(home, '.cache'),
    TMPDIR: home,
    NO_COLOR: '1',
    CI: '1',
    ...agent.environment(setting),
  };
  const run = async (turn: Turn, signal?: AbortSignal) => {
    const parameters = [...first, ...agent.parameters(setting, turn)];
    const ran = await runInGroup(command, parameters, {
      environment,
      cwd: folder,
      timeoutMs: RUN_MS,
      ...(signal === undefined ? {} : { signal }),
    });
    show(agent, gateway.model, turn, ran);
    return ran.output;
  };
  return { run, folder, picture };
}

function commandOf({ kind, program }: Agent, { modules, programs }: Installed): [string, ...string[]] {
  if (kind === 'python') return [join(programs, program)];
  const path = join(modules, program);
  return kind === 'script' ? [process.execPath, path] : [path];
}

/** What an agent printed is of interest where a test fails. */
function show(
  { name }: Agent,
  column: string,
  turn: Turn,
  { code, output }: { code: number | null; output: string },
): void {
  if (process.env.SHOW === undefined) return;
  const shown = JSON.stringify(turn).slice(0, 80);
  console.log(`--- ${name} ${column} ${shown} code ${code}\n${output.slice(-1500)}`);
}
