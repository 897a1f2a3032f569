import type { Log } from '../api/client.ts';
import { formatDuration } from '../ui/format.ts';

/** Each guard that was due: what it decided, what it found, and why. */
export function PluginRuns({ log }: { log: Log }) {
  if (log.plugin_runs.length === 0) return <p class="muted">The endpoint has no plugin.</p>;
  return (
    <ul class="runs">
      {log.plugin_runs.map((run, index) => (
        <li key={index}>
          <div class="row-between">
            <span>
              <strong>{run.plugin}</strong> <span class="muted">{run.phase}</span>
            </span>
            <span>
              {run.observed && <span class="muted">only observed, would have </span>}
              <span class={`outcome ${run.outcome}`}>{run.outcome}</span>{' '}
              <span class="number muted">{formatDuration(run.duration_ms)}</span>
            </span>
          </div>
          {run.reason !== undefined && <p class="muted">{run.reason}</p>}
          {run.findings.length > 0 && (
            <ul class="findings">
              {run.findings.map(({ type, place, start, end, score }, at) => (
                <li key={at}>
                  <mark>{type}</mark> <span class="number">{score.toFixed(2)}</span>{' '}
                  <code>
                    {place} {start}–{end}
                  </code>
                </li>
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

function Details({ title, value }: { title: string; value: unknown }) {
  return (
    <details class="fold">
      <summary>{title}</summary>
      <pre tabIndex={0}>{JSON.stringify(value, null, 2)}</pre>
    </details>
  );
}
