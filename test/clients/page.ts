import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/* docs/clients.md: its lines to paste, which the checks run, and its tables, which they write. */

const PAGE = fileURLToPath(new URL('../../docs/clients.md', import.meta.url));

/** The blocks of each client, by the client's heading. */
export function snippetsOf(page: string, language: RegExp): Record<string, string[]> {
  const sections = page.split(/^(?=#{2,3} )/m).filter((section) => section.startsWith('### '));
  return Object.fromEntries(
    sections.flatMap((section) => {
      const name = /^### (.+)/.exec(section)![1]!;
      const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, kind]) =>
        language.test(kind!),
      );
      return blocks.length === 0 ? [] : [[name, blocks.map(([, , block]) => block!)]];
    }),
  );
}

export const readPage = () => readFileSync(PAGE, 'utf8');
export const writePage = (page: string) => writeFile(PAGE, page);

/** What a check of a client saw. `problem` is null where it worked; `limit` is why it cannot. */
export interface Seen {
  row: string;
  feature: string;
  kind: string;
  problem: string | null;
  limit: string | null;
}

const COLUMNS = {
  plain: 'plain',
  stream: 'stream',
  tools: 'tools',
  structured: 'structured',
  structured_stream: 'structured, streamed',
  fallback: 'next model',
  fallback_stream: 'next model, streamed',
};

/** One line of the table for each row, in their order. `kinds` are the providers behind it. */
export function featureLines(rows: { row: string; kinds: string[] }[], seen: readonly Seen[]): string[] {
  return rows.map(({ row, kinds }) => {
    const own = seen.filter((one) => one.row === row);
    const cells = Object.keys(COLUMNS).map((feature) => {
      const outcomes = own.filter((one) => one.feature === feature);
      if (outcomes.length === 0) return '';
      return outcomes.every(({ problem }) => problem === null) ? '✓' : '—';
    });
    const limits = [...new Set(own.flatMap(({ limit }) => limit ?? []))];
    return `| ${[row, ...cells, kinds.join(', '), limits.join('; ')].join(' | ')} |`;
  });
}

export function featureHead(): string[] {
  const names = ['client', ...Object.values(COLUMNS), 'behind it', 'limit of the client'];
  return [`| ${names.join(' | ')} |`, `|${'---|'.repeat(names.length)}`];
}

export interface SeenError {
  row: string;
  error: string;
  name: string | null;
}

/** The class that a user catches, by status. */
export function errorTable(
  errors: readonly SeenError[],
  tries: readonly { row: string; tries: number }[],
): string[] {
  const statuses = [...new Set(errors.map(({ error }) => error))];
  const rows = [...new Set(errors.map(({ row }) => row))];
  const head = ['client', ...statuses, 'tries of a 503'];
  return [
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...rows.map((row) => {
      const names = statuses.map((status) => {
        const name = errors.find((one) => one.row === row && one.error === status)?.name;
        return name == null ? '' : `\`${name}\``;
      });
      return `| ${[row, ...names, tries.find((one) => one.row === row)?.tries ?? ''].join(' | ')} |`;
    }),
  ];
}

/** The lines between the marks of a table. */
export function tableOf(page: string, name: string): string[] {
  return page.split(`<!-- table:${name} -->\n`)[1]!.split('<!-- end -->')[0]!.split('\n').filter(Boolean);
}

export function withTable(page: string, name: string, lines: string[]): string {
  const [before, after] = page.split(`<!-- table:${name} -->\n`) as [string, string];
  return `${before}<!-- table:${name} -->\n${lines.join('\n')}\n${after.slice(after.indexOf('<!-- end -->'))}`;
}

/** The table with the lines of rows that were seen; those of clients that could not run here stay. */
export function mergedTable(
  committed: string[],
  head: string[],
  lines: string[],
  missing: boolean,
): string[] {
  if (!missing) return [...head, ...lines];
  const nameOf = (line: string) => line.split(' | ')[0];
  const fresh = new Map(lines.map((line) => [nameOf(line), line]));
  return committed.map((line) => fresh.get(nameOf(line)) ?? line);
}
