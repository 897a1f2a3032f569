import type { Log } from '../api/client.ts';
import { answerTurns, askedTurns, clientTurns, type Turn } from './conversation.ts';
import { invalidPieces } from './invalid-pieces.ts';
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
      {clientTurns(log) === undefined ? (
        <>
          {isChanged(log) && (
            <p class="note">
              A plugin changed this answer. What the client got is shown: the endpoint's `log_content` does
              not keep what the model answered.
            </p>
          )}
          <Answer turns={answered} log={log} />
        </>
      ) : (
        <BothAnswers log={log} answered={answered} />
      )}
      {log.error !== null && <ErrorNote log={log} />}
      <InvalidOutputs log={log} />
    </div>
  );
}

/** Whether a plugin changed the answer, and not only would have. */
function isChanged(log: Log): boolean {
  return log.plugin_runs.some(
    ({ outcome, phase, observed }) => outcome === 'modified' && phase === 'response' && !observed,
  );
}

function Answer({ turns, log }: { turns: Turn[]; log?: Log }) {
  return (
    <>
      {turns.map((turn, index) => (
        <TurnView
          key={index}
          turn={turn}
          findings={log === undefined ? undefined : findingsOf(log, 'response', index)}
        />
      ))}
    </>
  );
}

/** What the model answered beside what the client got. */
function BothAnswers({ log, answered }: { log: Log; answered: Turn[] }) {
  const got = clientTurns(log) ?? [];
  return (
    <div class="side-by-side">
      <section aria-label="What the model answered">
        <h2 class="beside">What the model answered</h2>
        <Answer turns={answered} log={log} />
      </section>
      <section aria-label="What the client got">
        <h2 class="beside">What the client got</h2>
        {got.length > 0 ? <Answer turns={got} /> : <p class="note">Not this answer: a plugin rejected it.</p>}
      </section>
    </div>
  );
}

/** Outputs that did not fit the schema, as far as they are kept. */
function InvalidOutputs({ log }: { log: Log }) {
  return (
    <>
      {log.attempts.map(({ provider, model, error }, index) =>
        error?.output === undefined ? null : (
          <details key={index} class="fold invalid-output" open={log.status === 'invalid_output'}>
            <summary>
              Invalid output of {provider}/{model}: {error.message}
              {error.path && (
                <>
                  {' at '}
                  <code>{error.path}</code>
                </>
              )}
            </summary>
            <pre tabIndex={0}>
              {invalidPieces(error.output, error.path ?? '').map(({ text, wrong }, at) =>
                wrong ? <mark key={at}>{text}</mark> : text,
              )}
            </pre>
          </details>
        ),
      )}
    </>
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
