import { useLoad } from '../app/load.ts';
import { linkTo } from '../app/router.ts';
import { may } from '../app/session.ts';
import { readLog } from '../edit/log-changes.ts';
import { Attempts } from '../log/attempts.tsx';
import { TurnView } from '../log/parts.tsx';
import { formatDuration } from '../ui/format.ts';
import { Markdown } from '../ui/markdown.tsx';
import type { Result } from './ask.ts';

interface ResultViewProps {
  projectUid: string;
  endpoint: string;
  result: Result | undefined;
}

/** The answer of an endpoint, and the tries that failed before it. */
export function ResultView({ projectUid, endpoint, result }: ResultViewProps) {
  return (
    <section class="playground-answer" aria-label={`Answer of ${endpoint}`} aria-live="polite">
      {result === undefined ? (
        <p class="muted">The answer will appear here. Press Ctrl+Enter to send.</p>
      ) : (
        <>
          <p class="row-between muted">
            <span>
              {result.running
                ? 'Answering …'
                : `${result.status || 'No answer'} in ${formatDuration(result.ms)}${result.model === null ? '' : ` from ${result.model}`}`}
            </span>
            {result.logId !== null && !result.running && (
              <a href={linkTo([projectUid, 'logs', result.logId])}>Open the log</a>
            )}
          </p>
          {result.turns.length > 0
            ? result.turns.map((turn, index) => <TurnView key={index} turn={turn} />)
            : result.text !== '' && <Markdown text={result.text} />}
          {result.error && (
            <p class="note bad-note" role="alert">
              {result.error}
            </p>
          )}
          {result.logId !== null && !result.running && may('logs') && (
            <FailedBefore projectUid={projectUid} id={result.logId} />
          )}
        </>
      )}
    </section>
  );
}

/** Lists the failed tries of a request, from its log. */
function FailedBefore({ projectUid, id }: { projectUid: string; id: string }) {
  const log = useLoad(`tries ${projectUid} ${id}`, (signal) => readLog(projectUid, id, signal)).data?.log;
  if (log === undefined || log.attempts.every(({ status }) => status === 'success')) return null;
  return (
    <details class="fold" open>
      <summary>All attempts</summary>
      <Attempts log={log} />
    </details>
  );
}
