import { useEffect, useMemo, useState } from 'preact/hooks';
import { call } from '../api/client.ts';
import { type Loaded, useLoad } from '../app/load.ts';
import { go, linkTo, place, replaceWith } from '../app/router.ts';
import { useStore } from '../app/store.ts';
import { FIELDS } from '../logs/filter.ts';
import { Select } from '../ui/field.tsx';
import { formatCompact, formatCost, formatCount, formatDuration, formatScore } from '../ui/format.ts';
import { Empty, Shown } from '../ui/states.tsx';
import { Chart, type Line } from './chart.tsx';
import { GaugeLine } from './gauge-line.tsx';
import {
  fillBuckets,
  isRange,
  RANGES,
  type RangeName,
  type Row,
  type Span,
  spanOf,
  sumOf,
} from './ranges.ts';
import { StatTable } from './stat-table.tsx';
import { useAgain } from './use-again.ts';

/** What the numbers are split by: how it is called, and the filter that leads to the logs of a part. */
const PARTS = {
  endpoint: { title: 'endpoint', filter: 'endpoint' },
  model: { title: 'model', filter: 'model' },
  tag: { title: 'tag', filter: 'tags_all' },
  status: { title: 'status', filter: 'status' },
  error: { title: 'error code', filter: 'error_code' },
  fallback: { title: 'reason to fall back', filter: 'fallback_reason' },
  // The logs that it rejected: those that it let pass are all others.
  plugin: { title: 'plugin', filter: 'rejected_by' },
} as const;
type PartName = keyof typeof PARTS;
const PART_NAMES = Object.keys(PARTS) as PartName[];

const REFRESH_MS = 30_000;
const FALLBACK_REASONS = FIELDS.find(({ name }) => name === 'fallback_reason')?.values ?? [];
const ANY_FALLBACK = FALLBACK_REASONS.map((reason): [string, string] => ['fallback_reason', reason]);

/** How the gateway does, over time and by part. Each point and each row leads to the logs behind it. */
export function OverviewPage({ projectUid }: { projectUid: string }) {
  const { query } = useStore(place);
  const asked = query.get('range');
  const range: RangeName = isRange(asked) ? asked : '24h';
  const by = PART_NAMES.find((name) => name === query.get('by')) ?? 'endpoint';
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && setNow(Date.now()), REFRESH_MS);
    return () => clearInterval(timer);
  }, []);
  const span = useMemo(() => spanOf(range, now), [range, now]);
  const over = useStats(projectUid, span, { bucket: span.bucket }, now);
  const parts = useStats(projectUid, span, { bucket: 'total', by }, now);
  const change = (next: Partial<{ range: string; by: string }>) =>
    replaceWith(linkTo([projectUid, 'overview'], { range, by, ...next }));
  return (
    <section class="page" aria-label="Overview">
      <header class="page-head">
        <h1>Overview</h1>
        <div class="tools">
          <Select
            label="Time"
            value={range}
            options={Object.entries(RANGES).map(([value, { title }]) => ({
              value: value as RangeName,
              label: title,
            }))}
            onChange={(next) => change({ range: next })}
          />
        </div>
      </header>
      <Shown of={over} what="numbers">
        {(rows) => <OverTime projectUid={projectUid} span={span} rows={rows} />}
      </Shown>
      <header class="page-head">
        <h2>By part</h2>
        <div class="tools">
          <Select
            label="By"
            value={by}
            options={PART_NAMES.map((name) => ({ value: name, label: `By ${PARTS[name].title}` }))}
            onChange={(next: PartName) => change({ by: next })}
          />
        </div>
      </header>
      <Shown of={parts} what="numbers">
        {(rows) => <ByPart projectUid={projectUid} span={span} rows={rows} by={by} />}
      </Shown>
      <GaugeLine now={now} />
    </section>
  );
}

/** Stays on screen while the newer numbers come. */
function useStats(
  projectUid: string,
  span: Span,
  { bucket, by }: { bucket: 'hour' | 'day' | 'total'; by?: PartName },
  now: number,
): Loaded<Row[]> {
  const loaded = useLoad(`stats ${projectUid} ${bucket} ${span.from.getTime()} ${by}`, async (signal) => {
    const { data } = await call('GET /{project_uid}/stats', {
      params: { project_uid: projectUid },
      query: { from: span.from.toISOString(), to: span.to.toISOString(), bucket, by },
      signal,
    });
    return data;
  });
  useAgain(now, loaded.reload);
  return loaded;
}

interface PartProps {
  projectUid: string;
  span: Span;
  rows: Row[];
}

function OverTime({ projectUid, span, rows }: PartProps) {
  const buckets = useMemo(() => fillBuckets(span, rows), [span, rows]);
  const times = useMemo(() => buckets.map(({ at }) => at), [buckets]);
  const lines = useMemo(() => linesOf(buckets.map(({ row }) => row)), [buckets]);
  const totals = sumOf(rows);
  if (rows.length === 0) {
    return (
      <Empty title="Nothing happened in this time.">
        <p class="muted">Choose a longer time, or send a request from the playground.</p>
      </Empty>
    );
  }
  const logsOf = (index: number, more: Line['filter'] = []) => {
    const from = times[index] as number;
    const to = new Date(from + span.bucketMs).toISOString();
    const filter = new URLSearchParams([['from', new Date(from).toISOString()], ['to', to], ...more]);
    return linkTo([projectUid, 'logs'], filter);
  };
  const onPoint = (index: number, line: Line | undefined) => go(logsOf(index, line?.filter));
  const all = { from: span.from.toISOString(), to: span.to.toISOString() };
  const allFallbacks = new URLSearchParams([...Object.entries(all), ...ANY_FALLBACK]);
  const leading = (name: string, value: number, more: Record<string, string>) => (
    <div>
      <dt>{name}</dt>
      <dd>
        <a href={linkTo([projectUid, 'logs'], { ...all, ...more })}>{formatCount(value)}</a>
      </dd>
    </div>
  );
  return (
    <>
      <dl class="totals">
        {leading('Requests', totals.requests, {})}
        {leading('Errors', totals.errors, { status: 'error' })}
        {leading('Invalid outputs', totals.invalid, { status: 'invalid_output' })}
        {leading('Rejected', totals.rejected, { status: 'rejected' })}
        <div>
          <dt>Fallbacks</dt>
          <dd>
            <a href={linkTo([projectUid, 'logs'], allFallbacks)}>{formatCount(totals.fallbacks)}</a>
          </dd>
        </div>
        <div>
          <dt>Tokens</dt>
          <dd>{formatCompact(totals.input_tokens + totals.output_tokens)}</dd>
        </div>
        <div>
          <dt>Cost</dt>
          <dd>{totals.cost === null ? '–' : formatCost(totals.cost)}</dd>
        </div>
        {leading('Feedback', totals.feedback, { has_feedback: 'true' })}
      </dl>
      <div class="charts">
        <Chart
          title="Requests"
          times={times}
          lines={lines.requests}
          format={formatCompact}
          onPoint={onPoint}
        />
        <Chart
          title="Duration"
          times={times}
          lines={lines.durations}
          format={formatDuration}
          onPoint={onPoint}
        />
        <Chart
          title="Time to first token, half of the streams"
          times={times}
          lines={lines.firstToken}
          format={formatDuration}
          onPoint={onPoint}
        />
        <Chart title="Tokens" times={times} lines={lines.tokens} format={formatCompact} onPoint={onPoint} />
        <Chart title="Cost" times={times} lines={lines.cost} format={formatCost} onPoint={onPoint} />
        <Chart title="Mean score" times={times} lines={lines.score} format={formatScore} onPoint={onPoint} />
      </div>
      <details class="fold">
        <summary>The same as a table</summary>
        <StatTable
          head={span.bucket === 'hour' ? 'Hour' : 'Day'}
          rows={buckets.flatMap(({ at, row }, index) =>
            row === undefined ? [] : [{ name: formatBucket(at, span), link: logsOf(index), totals: row }],
          )}
        />
      </details>
    </>
  );
}

type ChartName = 'requests' | 'durations' | 'firstToken' | 'tokens' | 'cost' | 'score';

function linesOf(rows: (Row | undefined)[]): Record<ChartName, Line[]> {
  const line = (name: string, colour: string, read: (row: Row) => number | null, filled = false): Line => ({
    name,
    colour,
    filled,
    values: rows.map((row) => (row === undefined ? null : read(row))),
  });
  const counted = (name: string, colour: string, read: (row: Row) => number, filled = false): Line => ({
    name,
    colour,
    filled,
    values: rows.map((row) => (row === undefined ? 0 : read(row))),
  });
  return {
    requests: [
      counted('All', '--accent', ({ requests }) => requests, true),
      {
        ...counted('Errors', '--bad', ({ errors, invalid }) => errors + invalid),
        filter: [
          ['status', 'error'],
          ['status', 'invalid_output'],
        ],
      },
      {
        ...counted('Rejected', '--warn', ({ rejected }) => rejected),
        filter: [['status', 'rejected']],
      },
      { ...counted('Fallbacks', '--good', ({ fallbacks }) => fallbacks), filter: ANY_FALLBACK },
    ],
    durations: [
      line('p50', '--accent', ({ p50_ms }) => p50_ms),
      line('p95', '--warn', ({ p95_ms }) => p95_ms),
      line('p99', '--bad', ({ p99_ms }) => p99_ms),
    ],
    firstToken: [line('p50', '--accent', ({ ttft_p50_ms }) => ttft_p50_ms)],
    tokens: [
      counted('In', '--accent', ({ input_tokens }) => input_tokens, true),
      counted('Out', '--good', ({ output_tokens }) => output_tokens),
    ],
    cost: [line('US dollars', '--accent', ({ cost }) => cost, true)],
    score: [{ ...line('Score', '--good', ({ score }) => score), filter: [['has_feedback', 'true']] }],
  };
}

function formatBucket(at: number, { bucket }: Span): string {
  const date = new Date(at);
  // A day is one of UTC; an hour is shown in the reader's zone.
  return bucket === 'day'
    ? date.toISOString().slice(0, 10)
    : date.toLocaleString(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
}

function ByPart({ projectUid, span, rows, by }: PartProps & { by: PartName }) {
  const all = { from: span.from.toISOString(), to: span.to.toISOString() };
  const { title, filter } = PARTS[by];
  if (rows.length === 0) return <p class="muted">Nothing in this time.</p>;
  return (
    <>
      <StatTable
        head={title}
        rows={rows.map((totals) => ({
          name: totals.key ?? 'none',
          link:
            totals.key === null ? undefined : linkTo([projectUid, 'logs'], { ...all, [filter]: totals.key }),
          totals,
        }))}
      />
      {by === 'plugin' && <p class="muted">A plugin leads to the logs that it rejected.</p>}
      {by === 'tag' && (
        <p class="muted">
          A log counts for each of its tags. Keys with more than 12 values, such as ids, are not counted over
          time.
        </p>
      )}
    </>
  );
}
