import { useEffect, useMemo, useState } from 'preact/hooks';
import { call } from '../api/client.ts';
import { type Loaded, useLoad } from '../app/load.ts';
import { go, linkTo, place, replaceWith } from '../app/router.ts';
import { useStore } from '../app/store.ts';
import { FIELDS, filterOf } from '../logs/filter.ts';
import { FilterBar } from '../logs/filter-bar.tsx';
import { watchForNew } from '../logs/live.ts';
import { Select } from '../ui/field.tsx';
import { formatCompact, formatCost, formatCount, formatDuration, formatScore } from '../ui/format.ts';
import { Empty, Shown } from '../ui/states.tsx';
import { Chart, type Line } from './chart.tsx';
import { GaugeLine } from './gauge-line.tsx';
import { isPart, PART_NAMES, PARTS, type PartName, STAT_FILTERS } from './parts.ts';
import {
  type Bucket,
  fillBuckets,
  isRange,
  ownSpan,
  type RangeName,
  type Row,
  type Span,
  spanBefore,
  spanOf,
} from './ranges.ts';
import { StatTable } from './stat-table.tsx';
import { TimeChoice } from './time-choice.tsx';
import { Totals } from './totals.tsx';
import { useAgain } from './use-again.ts';

const REFRESH_MS = 30_000;
/** New logs are counted some seconds after they land, so asking more often shows nothing new. */
const LIVE_MS = 5_000;
const FALLBACK_REASONS = FIELDS.find(({ name }) => name === 'fallback_reason')?.values ?? [];
const ANY_FALLBACK = FALLBACK_REASONS.map((reason): [string, string] => ['fallback_reason', reason]);

/** How the gateway does over time, and by model, endpoint and others. Each point and each row leads to its logs. */
export function OverviewPage({ projectUid }: { projectUid: string }) {
  const { query } = useStore(place);
  const now = useNow(projectUid);
  const filter = useMemo(() => statFilter(query), [query.toString()]);
  const asked = query.get('range');
  const own = asked === 'own' ? ownSpan(query.get('start'), query.get('end'), now) : undefined;
  const range: RangeName = isRange(asked) ? asked : '24h';
  const span = useMemo(() => own ?? spanOf(range, now), [own?.from.getTime(), own?.to.getTime(), range, now]);
  const by: PartName = isPart(query.get('by')) ? (query.get('by') as PartName) : 'endpoint';
  const than: PartName | '' = isPart(query.get('and')) ? (query.get('and') as PartName) : '';
  const change = (next: Record<string, string>) => {
    const kept = Object.fromEntries(
      ['range', 'start', 'end', 'by', 'and'].flatMap((name) =>
        query.get(name) === null ? [] : [[name, query.get(name) as string]],
      ),
    );
    const all = new URLSearchParams([...filter, ...Object.entries({ ...kept, ...next })]);
    replaceWith(linkTo([projectUid, 'overview'], all));
  };
  const ask = { projectUid, filter, now };
  const over = useStats({ ...ask, span, bucket: span.bucket });
  const total = useStats({ ...ask, span, bucket: 'total' });
  const before = useStats({ ...ask, span: spanBefore(span), bucket: 'total' });
  const parts = useStats({ ...ask, span, bucket: 'total', by: than === '' ? [by] : [by, than] });
  const logs = new URLSearchParams([
    ...filter,
    ['from', span.from.toISOString()],
    ['to', span.to.toISOString()],
  ]);
  return (
    <section class="page" aria-label="Overview">
      <header class="page-head">
        <h1>Overview</h1>
        <div class="tools">
          <TimeChoice
            range={own === undefined ? range : 'own'}
            onRange={(next) => change({ range: next })}
            onOwn={(start, end) => change({ range: 'own', start, end })}
          />
        </div>
      </header>
      <FilterBar
        projectUid={projectUid}
        filter={filter}
        fields={Object.keys(STAT_FILTERS)}
        onChange={(next) => {
          const rest = [...query].filter(([name]) => STAT_FILTERS[name] === undefined);
          replaceWith(linkTo([projectUid, 'overview'], new URLSearchParams([...rest, ...statFilter(next)])));
        }}
      />
      <Shown of={total} what="the numbers">
        {({ rows }) => (
          <Totals
            projectUid={projectUid}
            logs={logs}
            now={rows[0]}
            before={before.data?.rows[0]}
            anyFallback={ANY_FALLBACK}
          />
        )}
      </Shown>
      <Shown of={over} what="the numbers">
        {({ rows, searched }) => (
          <>
            <Searched searched={searched} />
            <OverTime projectUid={projectUid} span={span} rows={rows} filter={filter} />
          </>
        )}
      </Shown>
      <header class="page-head">
        <h2>Breakdown</h2>
        <div class="tools">
          <Select
            label="Group by"
            value={by}
            options={PART_NAMES.map((name) => ({
              value: name,
              label: `By ${PARTS[name].title.toLowerCase()}`,
            }))}
            onChange={(next: PartName) => change({ by: next, ...(next === than ? { and: '' } : {}) })}
          />
          <Select
            label="And by"
            value={than}
            options={[
              { value: '' as const, label: 'No second grouping' },
              ...PART_NAMES.filter((name) => name !== by).map((name) => ({
                value: name,
                label: `and ${PARTS[name].title.toLowerCase()}`,
              })),
            ]}
            onChange={(next: PartName | '') => change({ and: next })}
          />
        </div>
      </header>
      <Shown of={parts} what="the numbers">
        {({ rows, searched }) => (
          <>
            <Searched searched={searched} />
            <Breakdown projectUid={projectUid} rows={rows} by={than === '' ? [by] : [by, than]} logs={logs} />
          </>
        )}
      </Shown>
      <GaugeLine now={now} />
    </section>
  );
}

/** The current time, updated every half minute, and sooner when logs land. */
function useNow(projectUid: string): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => !document.hidden && setNow(Date.now()), REFRESH_MS);
    let soon: number | undefined;
    const stop = watchForNew(projectUid, () => {
      soon ??= setTimeout(() => {
        soon = undefined;
        setNow(Date.now());
      }, LIVE_MS);
    });
    return () => {
      clearInterval(timer);
      clearTimeout(soon);
      stop();
    };
  }, [projectUid]);
  return now;
}

/** The conditions in an address by which statistics can be filtered. */
function statFilter(query: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...filterOf(query)].filter(([name]) => STAT_FILTERS[name] !== undefined));
}

interface StatAsk {
  projectUid: string;
  filter: URLSearchParams;
  span: Span;
  bucket: Bucket | 'total';
  by?: PartName[];
  now: number;
}

interface Answered {
  rows: Row[];
  searched: number | undefined;
}

/** Loads statistics. The old numbers stay on screen until the new ones arrive. */
function useStats({ projectUid, filter, span, bucket, by, now }: StatAsk): Loaded<Answered> {
  const length = span.to.getTime() - span.from.getTime();
  const key = `stats ${projectUid} ${bucket} ${length} ${span.bucket} ${by} ${filter} ${span.to.getTime() < now}`;
  const loaded = useLoad(key, async (signal) => {
    const query = new URLSearchParams({
      from: span.from.toISOString(),
      to: span.to.toISOString(),
      bucket,
    });
    for (const name of by ?? []) query.append('by', name);
    for (const [name, value] of filter) query.append(STAT_FILTERS[name] as string, value);
    const { data, searched } = await call('GET /{project_uid}/stats', {
      params: { project_uid: projectUid },
      query,
      signal,
    });
    return { rows: data, searched };
  });
  useAgain(now, loaded.reload);
  return loaded;
}

/** Says that the newest logs were counted, because no counts are kept for this question. */
function Searched({ searched }: { searched: number | undefined }) {
  if (searched === undefined) return null;
  return (
    <p class="note">
      These numbers cover only the newest {formatCount(searched)} logs of this time range. Choose a shorter
      range or fewer conditions to include all logs.
    </p>
  );
}

interface OverTimeProps {
  projectUid: string;
  span: Span;
  rows: Row[];
  filter: URLSearchParams;
}

function OverTime({ projectUid, span, rows, filter }: OverTimeProps) {
  const buckets = useMemo(() => fillBuckets(span, rows), [span, rows]);
  const times = useMemo(() => buckets.map(({ at }) => at), [buckets]);
  const lines = useMemo(() => linesOf(buckets.map(({ row }) => row)), [buckets]);
  if (rows.length === 0) {
    return (
      <Empty title="There are no requests in this time range.">
        <p class="muted">Choose a longer range, or send a request from the playground.</p>
      </Empty>
    );
  }
  const logsOf = (index: number, more: Line['filter'] = []) => {
    const from = times[index] as number;
    const to = new Date(from + span.bucketMs).toISOString();
    const time: [string, string][] = [
      ['from', new Date(from).toISOString()],
      ['to', to],
    ];
    return linkTo([projectUid, 'logs'], new URLSearchParams([...filter, ...time, ...more]));
  };
  const onPoint = (index: number, line: Line | undefined) => go(logsOf(index, line?.filter));
  const charts: [title: string, lines: Line[], format: (value: number) => string][] = [
    ['Requests', lines.requests, formatCompact],
    ['Duration', lines.durations, formatDuration],
    ['Median time to first token', lines.firstToken, formatDuration],
    ['Tokens', lines.tokens, formatCompact],
    ['Cost', lines.cost, formatCost],
    ['Mean score', lines.score, formatScore],
  ];
  return (
    <>
      <div class="charts">
        {charts.map(([title, shown, format]) => (
          <Chart key={title} title={title} times={times} lines={shown} format={format} onPoint={onPoint} />
        ))}
      </div>
      <details class="fold">
        <summary>Show as a table</summary>
        <StatTable
          head={{ minute: 'Minute', hour: 'Hour', day: 'Day' }[span.bucket]}
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
        ...counted('Errors', '--bad', ({ errors }) => errors),
        filter: [['status', 'error']],
      },
      {
        ...counted('Invalid outputs', '--mark-strong', ({ invalid }) => invalid),
        filter: [['status', 'invalid_output']],
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
  // A day is a day of UTC; hours are shown in the reader's time zone.
  return bucket === 'day'
    ? date.toISOString().slice(0, 10)
    : date.toLocaleString(undefined, { month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
}

interface BreakdownProps {
  projectUid: string;
  rows: Row[];
  by: PartName[];
  logs: URLSearchParams;
}

function Breakdown({ projectUid, rows, by, logs }: BreakdownProps) {
  if (rows.length === 0) return <p class="muted">There is nothing to show in this time range.</p>;
  const keysOf = (row: Row) => by.map((name) => (by.length === 1 ? row.key : (row.keys?.[name] ?? null)));
  return (
    <>
      <StatTable
        head={by.map((name) => PARTS[name].title).join(', ')}
        ofPlugins={by.includes('plugin')}
        rows={rows.map((totals) => {
          const keys = keysOf(totals);
          const conditions = by.map((name, index): [string, string] => [
            PARTS[name].filter,
            keys[index] ?? '',
          ]);
          return {
            name: keys.map((key) => key ?? 'none').join(', '),
            link: keys.includes(null)
              ? undefined
              : linkTo([projectUid, 'logs'], new URLSearchParams([...logs, ...conditions])),
            totals,
          };
        })}
      />
      {by.includes('plugin') && <p class="muted">The name of a plugin links to the logs that it rejected.</p>}
      {by.includes('tag') && by.length === 1 && (
        <p class="muted">
          A log counts once for each of its tags. Metadata keys with more than 12 values, such as ids, are
          left out.
        </p>
      )}
    </>
  );
}
