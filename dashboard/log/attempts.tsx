import type { Log } from '../api/client.ts';
import { formatDuration } from '../ui/format.ts';

const REASONS: Record<string, string> = {
  success: 'answered',
  invalid_output: 'the output did not match the schema',
  connect: 'no connection',
  timeout: 'timed out',
  rate_limited: 'rate limited',
  server_error: 'server error',
  client_error: 'rejected the request',
  aborted: 'the client disconnected',
};

/** The models that were tried, how long each took, and why the next one was tried. */
export function Attempts({ log }: { log: Log }) {
  if (log.attempts.length === 0) return <p class="muted">No model was called.</p>;
  const total = Math.max(
    log.timing.total_ms,
    log.attempts.reduce((sum, { duration_ms }) => sum + duration_ms, 0),
    1,
  );
  let start = 0;
  return (
    <ol class="attempts">
      {log.attempts.map(({ provider, model, status, http_status, error, duration_ms }, index) => {
        const left = `${(start / total) * 100}%`;
        const width = `${Math.max(1, (duration_ms / total) * 100)}%`;
        start += duration_ms;
        return (
          <li key={index}>
            <div class="row-between">
              <strong>
                {provider}/{model}
              </strong>
              <span class="number">{formatDuration(duration_ms)}</span>
            </div>
            <div class="track" aria-hidden="true">
              <span class={status === 'success' ? 'bar' : 'bar failed'} style={{ left, width }} />
            </div>
            <p class={status === 'success' ? 'muted' : 'bad'}>
              {REASONS[status] ?? status}
              {http_status !== null && ` · ${http_status}`}
              {error && (
                <>
                  {' · '}
                  {error.message}
                  {error.path && (
                    <>
                      {' at '}
                      <code>{error.path}</code>
                    </>
                  )}
                </>
              )}
            </p>
          </li>
        );
      })}
    </ol>
  );
}
