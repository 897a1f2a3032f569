import type { Log } from '../api/client.ts';
import { answerTurns, askedTurns } from './conversation.ts';
import { TurnView } from './parts.tsx';
import type { Finding } from './pieces.ts';

/** What was asked and answered, with what plugins found marked in it. */
export function ConversationView({ log }: { log: Log }) {
  const asked = askedTurns(log);
  const answered = answerTurns(log);
  if (log.request === null && log.response === null) {
    return <p class="muted">The endpoint's `log_content` is `none`: no message is kept.</p>;
  }
  return (
    <div class="conversation">
      {asked.map((turn, index) => (
        <TurnView key={index} turn={turn} findings={findingsOf(log, 'request', index)} />
      ))}
      {log.plugin_runs.some(({ outcome, phase }) => outcome === 'modified' && phase === 'response') && (
        <p class="note">A plugin changed this answer; what the client got is shown.</p>
      )}
      {answered.map((turn, index) => (
        <TurnView key={`answer ${index}`} turn={turn} findings={findingsOf(log, 'response', index)} />
      ))}
      {log.error !== null && <ErrorNote log={log} />}
    </div>
  );
}

function ErrorNote({ log }: { log: Log }) {
  const invalid = log.attempts.findLast(({ status }) => status === 'invalid_output');
  return (
    <div class="note bad-note">
      <strong>{log.error?.code}</strong> {log.error?.message}
      {invalid?.error?.path !== undefined && (
        <p>
          Validation failed at <code>{invalid.error.path || '(the whole output)'}</code>:{' '}
          {invalid.error.message}
        </p>
      )}
    </div>
  );
}

/** Findings of one turn. A finding's place is such as `/2/parts/0/text`: turn, then part. */
function findingsOf(
  log: Log,
  phase: 'request' | 'response',
  turn: number,
): Map<number, Finding[]> | undefined {
  const byPart = new Map<number, Finding[]>();
  for (const run of log.plugin_runs) {
    if (run.phase !== phase) continue;
    for (const finding of run.findings) {
      const place = /^\/(\d+)\/(?:message\/)?parts\/(\d+)/.exec(finding.place);
      if (place === null || Number(place[1]) !== turn) continue;
      const part = Number(place[2]);
      byPart.set(part, [...(byPart.get(part) ?? []), finding]);
    }
  }
  return byPart.size === 0 ? undefined : byPart;
}
