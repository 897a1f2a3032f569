import { linkTo } from '../app/router.ts';
import { formatCompact, formatCost, formatCount, formatDuration } from '../ui/format.ts';
import { changeOf, type Row } from './ranges.ts';

interface TotalsProps {
  projectUid: string;
  /** The filter that finds the logs behind the numbers. */
  logs: URLSearchParams;
  /** The sums over the whole time; undefined where nothing happened. */
  now: Row | undefined;
  /** The sums over the time before. */
  before: Row | undefined;
  anyFallback: [name: string, value: string][];
}

interface Total {
  name: string;
  read: (row: Row) => number | null;
  format: (value: number) => string;
  /** The conditions that find the logs that were counted. */
  filter?: [name: string, value: string][];
}

const count = (name: string, read: Total['read'], filter?: Total['filter']): Total => ({
  name,
  read,
  format: formatCount,
  filter,
});

/** The sums over the whole time, each compared with the time before and with a link to its logs. */
export function Totals({ projectUid, logs, now, before, anyFallback }: TotalsProps) {
  const totals: Total[] = [
    count('Requests', ({ requests }) => requests, []),
    count('Errors', ({ errors }) => errors, [['status', 'error']]),
    count('Invalid outputs', ({ invalid }) => invalid, [['status', 'invalid_output']]),
    count('Rejected', ({ rejected }) => rejected, [['status', 'rejected']]),
    count('Fallbacks', ({ fallbacks }) => fallbacks, anyFallback),
    { name: 'p95 duration', read: ({ p95_ms }) => p95_ms, format: formatDuration },
    { name: 'Median first token', read: ({ ttft_p50_ms }) => ttft_p50_ms, format: formatDuration },
    {
      name: 'Tokens',
      read: ({ input_tokens, output_tokens }) => input_tokens + output_tokens,
      format: formatCompact,
    },
    { name: 'Cost', read: ({ cost }) => cost, format: formatCost },
    count('Feedback', ({ feedback }) => feedback, [['has_feedback', 'true']]),
  ];
  return (
    <dl class="totals">
      {totals.map(({ name, read, format, filter }) => {
        const value = now === undefined ? 0 : read(now);
        const old = before === undefined ? undefined : read(before);
        const shown = value === null ? '–' : format(value);
        const change = changeOf(value, old);
        return (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {filter === undefined ? (
                shown
              ) : (
                <a href={linkTo([projectUid, 'logs'], new URLSearchParams([...logs, ...filter]))}>{shown}</a>
              )}
            </dd>
            {change !== undefined && (
              <dd class="change" title={`Before: ${old === null || old === undefined ? '–' : format(old)}`}>
                {change}
              </dd>
            )}
          </div>
        );
      })}
    </dl>
  );
}
