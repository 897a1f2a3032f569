import { formatCompact, formatCost, formatCount, formatDuration, formatScore } from '../ui/format.ts';
import type { Row } from './ranges.ts';

export interface StatRow {
  name: string;
  link: string | undefined;
  totals: Pick<
    Row,
    | 'requests'
    | 'errors'
    | 'invalid'
    | 'rejected'
    | 'fallbacks'
    | 'p50_ms'
    | 'p95_ms'
    | 'ttft_p50_ms'
    | 'input_tokens'
    | 'output_tokens'
    | 'cost'
    | 'score'
  >;
}

const HEADS = [
  'Requests',
  'Errors',
  'Invalid',
  'Rejected',
  'Fallbacks',
  'p50',
  'p95',
  'First token',
  'Tokens',
  'Cost',
  'Score',
];

/** In a table by plugin these columns are about the plugin's runs; in other tables about whole requests. */
const HEADS_OF_RUNS: Record<string, string> = {
  Errors: 'Failed runs',
  Rejected: 'Rejected by it',
  p50: 'p50 of runs',
  p95: 'p95 of runs',
};

function known(value: number | null, format: (value: number) => string): string {
  return value === null ? '–' : format(value);
}

interface StatTableProps {
  head: string;
  rows: StatRow[];
  /** Whether the rows are about plugins. */
  ofPlugins?: boolean;
}

/** A table of numbers by group or by time. Each row has a link to its logs. */
export function StatTable({ head, rows, ofPlugins = false }: StatTableProps) {
  return (
    <div class="table-scroll" tabIndex={0}>
      <table class="list-table numbers">
        <thead>
          <tr>
            <th>{head}</th>
            {HEADS.map((name) => (
              <th key={name} class="right">
                {ofPlugins ? (HEADS_OF_RUNS[name] ?? name) : name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, link, totals }) => (
            <tr key={name}>
              <td>{link === undefined ? name : <a href={link}>{name}</a>}</td>
              <td class="right">{formatCount(totals.requests)}</td>
              <td class="right">{formatCount(totals.errors)}</td>
              <td class="right">{formatCount(totals.invalid)}</td>
              <td class="right">{formatCount(totals.rejected)}</td>
              <td class="right">{formatCount(totals.fallbacks)}</td>
              <td class="right">{known(totals.p50_ms, formatDuration)}</td>
              <td class="right">{known(totals.p95_ms, formatDuration)}</td>
              <td class="right">{known(totals.ttft_p50_ms, formatDuration)}</td>
              <td class="right">
                {formatCompact(totals.input_tokens)} → {formatCompact(totals.output_tokens)}
              </td>
              <td class="right">{known(totals.cost, formatCost)}</td>
              <td class="right">{known(totals.score, formatScore)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
