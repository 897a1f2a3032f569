import type { ComponentChildren } from 'preact';
import type { LogSummary } from '../api/client.ts';
import { createKeptStore } from '../app/store.ts';
import { formatCompact, formatCost, formatDuration, formatScore } from '../ui/format.ts';
import { Moment } from '../ui/moment.tsx';
import { Status } from '../ui/status.tsx';
import { Thumb } from '../ui/thumb.tsx';

export interface Column {
  name: string;
  title: string;
  /** As CSS has the width of a grid's column. */
  width: string;
  right?: boolean;
  show: (log: LogSummary) => ComponentChildren;
}

/** More do not fit, and each costs while one scrolls. */
const MOST_TAGS = 4;
const nothing = <span class="faint">–</span>;

export const COLUMNS: Column[] = [
  { name: 'time', title: 'Time', width: '132px', show: ({ created_at }) => <Moment at={created_at} /> },
  {
    name: 'status',
    title: 'Status',
    width: '128px',
    show: ({ status, http_status }) => <Status status={status} code={http_status} />,
  },
  {
    name: 'endpoint',
    title: 'Endpoint',
    width: 'minmax(80px, 1fr)',
    show: ({ endpoint }) => endpoint ?? nothing,
  },
  { name: 'model', title: 'Model', width: 'minmax(100px, 1.2fr)', show: ({ model }) => model ?? nothing },
  {
    name: 'tags',
    title: 'Tags',
    width: 'minmax(120px, 2fr)',
    show: ({ tags }) => (
      <span class="tags">
        {tags.slice(0, MOST_TAGS).map((tag) => (
          <span key={tag} class="tag" title={tag}>
            {tag}
          </span>
        ))}
        {tags.length > MOST_TAGS && <span class="muted">+{tags.length - MOST_TAGS}</span>}
      </span>
    ),
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
    show: ({ cost }) => (cost === null ? nothing : formatCost(cost)),
  },
  {
    name: 'duration',
    title: 'Duration',
    width: '72px',
    right: true,
    show: ({ timing }) => formatDuration(timing.total_ms),
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
    width: '96px',
    right: true,
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
  { name: 'api', title: 'API', width: '150px', show: ({ api }) => api },
  { name: 'error', title: 'Error', width: 'minmax(120px, 1fr)', show: ({ error }) => error?.code ?? nothing },
];

const SHOWN_AT_FIRST = [
  'time',
  'status',
  'endpoint',
  'model',
  'tags',
  'rating',
  'score',
  'tokens',
  'cost',
  'duration',
];
/** What a phone has room for, and how wide it is there. */
export const NARROW: Record<string, string> = {
  time: '88px',
  status: '84px',
  endpoint: 'minmax(0, 1fr)',
  rating: '48px',
};

export const chosenColumns = createKeptStore<string[]>('sluice.columns', SHOWN_AT_FIRST);

export function columnsNamed(names: readonly string[]): Column[] {
  return COLUMNS.filter(({ name }) => names.includes(name));
}

/** What the columns need at least, in pixels. */
export function leastWidth(columns: Column[]): number {
  return columns.reduce((sum, { width }) => sum + Number(/(\d+)px/.exec(width)?.[1] ?? 0), 0);
}
