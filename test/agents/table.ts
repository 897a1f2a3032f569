import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AGENTS, type Agent } from './agents.js';
import { COLUMNS } from './columns.js';

/*
 * The table of agents and providers in docs/clients.md. What was seen is kept beside it, since a run may be of one agent
 * or of one column.
 */

const SEEN = fileURLToPath(new URL('seen.json', import.meta.url));

/** By agent, column and check. */
export type SeenAgents = Record<string, Record<string, Record<string, boolean>>>;

export async function readSeen(): Promise<SeenAgents> {
  return JSON.parse(await readFile(SEEN, 'utf8')) as SeenAgents;
}

export async function noteSeen(
  agent: string,
  column: string,
  checks: Record<string, boolean>,
): Promise<void> {
  const seen = await readSeen();
  const noted = { ...seen, [agent]: { ...seen[agent], [column]: checks } };
  // In the order of the lists, whatever ran first.
  const ordered = AGENTS.flatMap(({ name }) => {
    const own = noted[name];
    if (own === undefined) return [];
    const columns = Object.keys(COLUMNS).flatMap((one) => (own[one] === undefined ? [] : [[one, own[one]]]));
    return [[name, Object.fromEntries(columns)]];
  });
  await writeFile(SEEN, `${JSON.stringify(Object.fromEntries(ordered), undefined, 2)}\n`);
}

/** ✓ where all was seen to work; else what was not, with whose limit it is. */
export function agentTable(seen: SeenAgents): string[] {
  const columns = Object.entries(COLUMNS);
  const head = ['agent', 'it speaks', ...columns.map(([, { title }]) => title)];
  return [
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...AGENTS.map((agent) => {
      const cells = columns.map(([column]) => cellOf(agent, column, seen[agent.name]?.[column]));
      return `| ${[agent.name, `\`${agent.api}\``, ...cells].join(' | ')} |`;
    }),
  ];
}

function cellOf({ limits }: Agent, column: string, checks: Record<string, boolean> | undefined): string {
  if (checks === undefined) return 'not tried';
  const failed = Object.keys(checks).filter((check) => !checks[check]);
  if (failed.length === 0) return '✓';
  return `not ${failed.join(', ')}: ${limits?.[column] ?? 'not explained yet'}`;
}
