import type { ComponentChildren } from 'preact';
import type { LogSummary } from '../api/client.ts';
import { createKeptStore } from '../app/store.ts';
import { formatCompact, formatCost, formatDuration, formatScore } from '../ui/format.ts';
import { ModelName } from '../ui/model-name.tsx';
import { Moment } from '../ui/moment.tsx';
import { Status } from '../ui/status.tsx';
import { Thumb } from '../ui/thumb.tsx';
import type { Sort } from './log-list.ts';
import { Tags } from './tags.tsx';

export interface Column {
  name: string;
  title: string;
  /** The width of the column, as CSS writes it for a grid. */
  width: string;
  right?: boolean;
  /** The order that the list gets when the column's title is pressed. */
  sort?: Sort;
  show: (log: LogSummary) => ComponentChildren;
}

const nothing = <span class="faint">–</span>;

/** A message in one line, from the log's preview. */
function Line({ text }: { text: string | null | undefined }) {
  if (text === null || text === undefined) return nothing;
  return (
    <span dir="auto" title={text}>
      {text}
    </span>
  );
}

/** The answer in one line, or the error where there is no answer. A rejected answer, which the client did not get, says so. */
function AnswerLine({ log: { preview, error, status } }: { log: LogSummary }) {
  const answer = preview?.output;
  if (answer !== null && answer !== undefined) {
    return (
      <>
        {status === 'rejected' && (
          <span class="bad" title={error?.message}>
            Rejected:{' '}
          </span>
        )}
        <Line text={answer} />
      </>
    );
  }
  return error === null ? nothing : <span class="bad">{error.message || error.code}</span>;
}

export const COLUMNS: Column[] = [
  {
    name: 'time',
    title: 'Time',
    width: '132px',
    sort: 'created_at',
    show: ({ created_at }) => <Moment at={created_at} />,
  },
  {
    name: 'status',
    title: 'Status',
    width: '128px',
    show: ({ status, http_status }) => <Status status={status} code={http_status} />,
  },
  {
    name: 'duration',
    title: 'Duration',
    width: '82px',
    right: true,
    sort: 'duration',
    show: ({ timing }) => formatDuration(timing.total_ms),
  },
  {
    name: 'endpoint',
    title: 'Endpoint',
    width: 'minmax(80px, 1fr)',
    show: ({ endpoint }) => endpoint ?? nothing,
  },
  {
    name: 'model',
    title: 'Model',
    width: 'minmax(100px, 1.2fr)',
    show: (log) => <ModelName log={log} />,
  },
  {
    name: 'input',
    title: 'Message',
    width: 'minmax(160px, 2.4fr)',
    show: ({ preview }) => <Line text={preview?.input} />,
  },
  {
    name: 'output',
    title: 'Answer',
    width: 'minmax(160px, 2.4fr)',
    show: (log) => <AnswerLine log={log} />,
  },
  {
    name: 'tags',
    title: 'Tags',
    width: 'minmax(120px, 1.4fr)',
    show: ({ tags }) => <Tags tags={tags} />,
  },
  {
    name: 'rating',
    title: 'Rating',
    width: '52px',
    show: ({ quality_rating }) => (quality_rating === null ? nothing : <Thumb rating={quality_rating} />),
  },
  {
    name: 'score',
    title: 'Score',
    width: '64px',
    right: true,
    show: ({ score }) =>
      score === null ? nothing : <span class={score < 0 ? 'bad' : 'good'}>{formatScore(score)}</span>,
  },
  {
    name: 'tokens',
    title: 'Tokens',
    width: '84px',
    right: true,
    sort: 'tokens',
    show: ({ usage }) =>
      usage === null ? (
        nothing
      ) : (
        <span title={`${usage.input_tokens} in, ${usage.output_tokens} out`}>
          {formatCompact(usage.input_tokens)} → {formatCompact(usage.output_tokens)}
        </span>
      ),
  },
  {
    name: 'cost',
    title: 'Cost',
    width: '82px',
    right: true,
    sort: 'cost',
    show: ({ cost }) => (cost === null ? nothing : formatCost(cost)),
  },
  {
    name: 'attempts',
    title: 'Attempts',
    width: '80px',
    right: true,
    show: ({ attempts }) => attempts.length,
  },
  {
    name: 'first-token',
    title: 'First token',
    width: '100px',
    right: true,
    sort: 'first_token',
    show: ({ timing }) =>
      timing.time_to_first_token_ms === null ? nothing : formatDuration(timing.time_to_first_token_ms),
  },
  {
    name: 'feedback',
    title: 'Feedback',
    width: '84px',
    right: true,
    show: ({ feedback_count }) => feedback_count || nothing,
  },
  {
    name: 'key',
    title: 'Key',
    width: 'minmax(80px, 0.8fr)',
    show: ({ caller }) => caller?.replace(/^key:/, '') ?? nothing,
  },
  { name: 'api', title: 'API', width: '150px', show: ({ api }) => api },
  { name: 'error', title: 'Error', width: 'minmax(120px, 1fr)', show: ({ error }) => error?.code ?? nothing },
];

const SHOWN_AT_FIRST = [
  'time',
  'status',
  'duration',
  'endpoint',
  'model',
  'input',
  'output',
  'tags',
  'rating',
  'tokens',
  'cost',
];

/** What a narrow screen shows of a log: three lines, two of which are text. */
export const NARROW_COLUMN: Column = {
  name: 'log',
  title: 'Log',
  width: 'minmax(0, 1fr)',
  show: (log) => (
    <span class="log-card">
      <span class="log-card-facts">
        <Status status={log.status} code={log.http_status} />
        <span class="log-card-endpoint">{log.endpoint ?? ''}</span>
        {log.quality_rating !== null && <Thumb rating={log.quality_rating} />}
        <span class="number">{formatDuration(log.timing.total_ms)}</span>
        <Moment at={log.created_at} />
      </span>
      <span class="log-card-line">
        <Line text={log.preview?.input} />
      </span>
      <span class="log-card-line muted">
        <AnswerLine log={log} />
      </span>
    </span>
  ),
};

/** The columns that the reader chose. They are kept under a newer key since the columns with texts were added. */
export const chosenColumns = createKeptStore<string[]>('sluice.list-columns', SHOWN_AT_FIRST);

/** The columns with these names, and the one that the list is sorted by. */
export function columnsNamed(names: readonly string[], sorted: Sort): Column[] {
  const isSorted = ({ sort }: Column) => sort === sorted && sort !== 'created_at';
  return COLUMNS.filter((column) => names.includes(column.name) || isSorted(column));
}

/** The least width of the columns together, in pixels. */
export function leastWidth(columns: Column[]): number {
  return columns.reduce((sum, { width }) => sum + Number(/(\d+)px/.exec(width)?.[1] ?? 0), 0);
}
