import { useState } from 'preact/hooks';
import type { Log } from '../api/client.ts';
import { formatCount, formatDuration } from '../ui/format.ts';
import { type FindingGroup, groupFindings } from './findings.ts';

/** Each guard that had to run, with its decision, its findings and its reasons. */
export function PluginRuns({ log }: { log: Log }) {
  if (log.plugin_runs.length === 0) return <p class="muted">No plugin ran.</p>;
  return (
    <ul class="runs">
      {log.plugin_runs.map((run, index) => (
        <li key={index}>
          <div class="row-between">
            <span>
              <strong>{run.plugin}</strong> <span class="muted">{run.phase}</span>
            </span>
            <span>
              {run.observed && <span class="muted">observe mode: would have been </span>}
              <span class={`outcome ${run.outcome}`}>{run.outcome}</span>{' '}
              <span class="number muted">{formatDuration(run.duration_ms)}</span>
            </span>
          </div>
          {run.reason !== undefined && <p class="muted">{run.reason}</p>}
          {run.findings.length > 0 && (
            <ul class="findings">
              {groupFindings(run.findings).map((group) => (
                <Group key={group.type} group={group} />
              ))}
            </ul>
          )}
          {run.annotations !== undefined && <Details title="Annotations" value={run.annotations} />}
          {run.debug !== undefined && <Details title="Decision process" value={run.debug} />}
        </li>
      ))}
    </ul>
  );
}

/** Beyond this number the places of a type are only counted. */
const MOST_PLACES = 50;

function Group({ group }: { group: FindingGroup }) {
  const { type, count, lowest, highest, findings } = group;
  const [open, setOpen] = useState(false);
  const scores = lowest === highest ? highest.toFixed(2) : `${lowest.toFixed(2)} to ${highest.toFixed(2)}`;
  return (
    <li>
      <details class="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <mark>{type}</mark> × {formatCount(count)} <span class="number">score {scores}</span>
        </summary>
        {open && (
          <ul class="findings">
            {findings.slice(0, MOST_PLACES).map(({ place, start, end, score }, at) => (
              <li key={at}>
                <code>
                  {place} {start}–{end}
                </code>{' '}
                <span class="number">{score.toFixed(2)}</span>
              </li>
            ))}
            {count > MOST_PLACES && <li class="muted">and {formatCount(count - MOST_PLACES)} more</li>}
          </ul>
        )}
      </details>
    </li>
  );
}

function Details({ title, value }: { title: string; value: unknown }) {
  return (
    <details class="fold">
      <summary>{title}</summary>
      <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
    </details>
  );
}
