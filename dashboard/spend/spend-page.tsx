import { type Answer, call } from '../api/client.ts';
import { useLoad } from '../app/load.ts';
import { linkTo, place, replaceWith } from '../app/router.ts';
import { useStore } from '../app/store.ts';
import { Select } from '../ui/field.tsx';
import { formatCompact, formatCost, formatCount } from '../ui/format.ts';
import { Empty, Shown } from '../ui/states.tsx';

type Row = Answer<'GET /{project_uid}/spend'>['data'][number];
type Limit = Answer<'GET /{project_uid}/limits'>['data'][number];

const BY = [
  { value: 'day', label: 'Day' },
  { value: 'key', label: 'Key' },
  { value: 'endpoint', label: 'Endpoint' },
  { value: 'model', label: 'Model' },
  { value: 'tag', label: 'Tag' },
  { value: 'sticky', label: 'Sticky routing' },
] as const;
type By = (typeof BY)[number]['value'];
/** The titles of the rows of `by=sticky`. */
const DRAWS: Record<string, string> = {
  kept: 'Stayed on its first model',
  moved: 'Moved to another model',
  none: 'Not sticky',
};
const DAYS = [
  { value: '1', label: 'Last day' },
  { value: '7', label: 'Last 7 days' },
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
] as const;
const DAY_MS = 86_400_000;

/** The word in the address if it is one of the known ones, else the first of these. */
function chosen<Value extends string>(
  options: readonly { value: Value }[],
  text: string | null,
  usual: Value,
): Value {
  return options.find(({ value }) => value === text)?.value ?? usual;
}

/** Shows what was spent, what providers' caches saved, and how much of each limit is used. */
export function SpendPage({ projectUid }: { projectUid: string }) {
  const { query } = useStore(place);
  const by = chosen(BY, query.get('by'), 'day');
  const days = chosen(DAYS, query.get('days'), '30');
  // The range begins at a whole day, so that the same address asks the same question.
  const from = new Date(Math.floor(Date.now() / DAY_MS + 1) * DAY_MS - Number(days) * DAY_MS).toISOString();
  const params = { project_uid: projectUid };
  const spend = useLoad(`${projectUid} ${by} ${from}`, (signal) =>
    call('GET /{project_uid}/spend', { params, query: { by, from }, signal }),
  );
  const limits = useLoad(projectUid, (signal) => call('GET /{project_uid}/limits', { params, signal }));
  const change = (changes: Record<string, string>) =>
    replaceWith(linkTo([projectUid, 'spend'], new URLSearchParams({ by, days, ...changes })));
  const table = `/${projectUid}/spend?${new URLSearchParams({ by, from, format: 'csv' })}`;
  return (
    <section class="page" aria-label="Spend">
      <header class="page-head">
        <h1>Spend</h1>
        <div class="tools">
          <a href={table} download>
            Download as CSV
          </a>
          <Select
            label="Group by"
            value={by}
            options={BY.map(({ value, label }) => ({ value, label: `By ${label.toLowerCase()}` }))}
            onChange={(value) => change({ by: value })}
          />
          <Select label="Time" value={days} options={DAYS} onChange={(value) => change({ days: value })} />
        </div>
      </header>
      <Shown of={spend} what="what was spent">
        {({ data }) =>
          data.length === 0 ? (
            <Empty title="Nothing was spent in this time range.">
              <p class="muted">A cost needs a price: set `prices` or `models` of the provider.</p>
            </Empty>
          ) : (
            <SpendTable by={by} rows={data} />
          )
        }
      </Shown>
      <h2>Limits</h2>
      <Shown of={limits} what="the limits">
        {({ data }) =>
          data.length === 0 ? (
            <p class="muted">No limit of this project has counted a request in its current window.</p>
          ) : (
            <LimitTable limits={data} />
          )
        }
      </Shown>
    </section>
  );
}

function SpendTable({ by, rows }: { by: By; rows: Row[] }) {
  const isSum = by !== 'tag';
  const sum = (pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0);
  const [input, cached] = [sum((row) => row.input_tokens), sum((row) => row.cached_input_tokens)];
  return (
    <>
      {!isSum && <p class="muted">A request counts once for each of its tags, so there is no total.</p>}
      <p hidden={!isSum}>
        <strong>{formatCost(sum((row) => row.cost ?? 0))}</strong> spent. Providers read{' '}
        {shareOf(cached, input)} of the input from their caches, which{' '}
        {savingOf(sum((row) => row.cache_saved))}.
        {rows.some((row) => row.cost === null) && ' Rows without a cost have no known price.'}
      </p>
      <div class="table-scroll" tabIndex={0}>
        <table class="list-table numbers">
          <thead>
            <tr>
              <th>{BY.find(({ value }) => value === by)!.label}</th>
              <th class="right">Cost</th>
              <th class="right">Requests</th>
              <th class="right">Tokens</th>
              <th class="right">Cached</th>
              <th class="right">Saved by caches</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.key}>
                <td>{nameOf(row, by)}</td>
                <td class="right">{row.cost === null ? '–' : formatCost(row.cost)}</td>
                <td class="right">{formatCount(row.requests)}</td>
                <td class="right">
                  {formatCompact(row.input_tokens)} → {formatCompact(row.output_tokens)}
                </td>
                <td class="right">{shareOf(row.cached_input_tokens, row.input_tokens)}</td>
                <td class="right">{savedOf(row.cache_saved)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

function LimitTable({ limits }: { limits: Limit[] }) {
  return (
    <div class="table-scroll" tabIndex={0}>
      <table class="list-table numbers">
        <thead>
          <tr>
            <th>Counted for</th>
            <th>Limit</th>
            <th class="right">Used</th>
            <th>Share used</th>
          </tr>
        </thead>
        <tbody>
          {limits.map((limit) => (
            <tr key={keyOf(limit)}>
              <td>{limit.subject === '' ? limit.per : `${limit.per} ${limit.subject}`}</td>
              <td>
                {amountOf(limit, limit.limit)} a {limit.window}
                {limit.action === 'reject' ? '' : `, ${limit.action}`}
              </td>
              <td class="right">{amountOf(limit, limit.used)}</td>
              <td>
                <meter
                  min={0}
                  max={1}
                  low={0.5}
                  high={0.8}
                  optimum={0}
                  value={limit.ratio}
                  aria-label={`${limit.per} ${limit.subject}`}
                />{' '}
                {Math.round(limit.ratio * 100)} %
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function nameOf({ key }: Row, by: By): string {
  if (key === null) return '–';
  return by === 'sticky' ? (DRAWS[key] ?? key) : key;
}

/** The amount may be negative: writing to a cache can cost more than reading from it saves. */
function savingOf(dollars: number): string {
  return dollars < 0 ? `cost ${formatCost(-dollars)} more than they saved` : `saved ${formatCost(dollars)}`;
}

function savedOf(dollars: number): string {
  if (dollars === 0) return '–';
  return dollars < 0 ? `−${formatCost(-dollars)}` : formatCost(dollars);
}

/** Two limits may count the same usage, such as one that warns and one that rejects. */
function keyOf({ per, kind, window, limit, action, subject }: Limit): string {
  return [per, kind, window, limit, action, subject].join(' ');
}

function amountOf({ kind }: Limit, amount: number): string {
  return kind === 'cost_usd' ? formatCost(amount) : `${formatCompact(amount)} ${kind}`;
}

function shareOf(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((part / whole) * 100)} %`;
}
