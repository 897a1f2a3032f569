import { useState } from 'preact/hooks';
import { call, type LogSummary } from '../api/client.ts';
import { useLoad } from '../app/load.ts';
import { linkTo } from '../app/router.ts';
import { readLog } from '../edit/log-changes.ts';
import { answerTurns, askedTurns, type Bodies, clientTurns, type Turn } from '../log/conversation.ts';
import { TurnView } from '../log/parts.tsx';
import { Button } from '../ui/button.tsx';
import { formatCost, formatDuration, plural } from '../ui/format.ts';
import { ModelName } from '../ui/model-name.tsx';
import { Moment } from '../ui/moment.tsx';
import { Empty, Shown } from '../ui/states.tsx';
import { Status } from '../ui/status.tsx';

const PAGE = 100;
/** How many of the newest turns are loaded with their whole text. Each takes a call. */
const SHOWN_WHOLE = 10;

interface SessionPageProps {
  projectUid: string;
  /** The value of `session_id`, or of the metadata key `sessionKey`. */
  session: string;
  sessionKey: string | undefined;
}

/** Shows a conversation that spans several logs, the oldest first: for each log what the user said and the answer. */
export function SessionPage({ projectUid, session, sessionKey }: SessionPageProps) {
  const name = sessionKey ?? 'session_id';
  const filter = { session, ...(sessionKey === undefined ? {} : { session_key: sessionKey }) };
  const logs = useLoad(`session ${projectUid} ${name} ${session}`, async (signal) => {
    const query = new URLSearchParams({ ...filter, limit: String(PAGE) });
    const page = await call('GET /{project_uid}/logs', {
      params: { project_uid: projectUid },
      query,
      signal,
    });
    return { logs: page.data.reverse(), more: page.next_cursor !== null };
  });
  return (
    <section class="page narrow-page" aria-label="Session">
      <header class="page-head">
        <div class="crumbs">
          <a href={linkTo([projectUid, 'logs'])}>Logs</a>
          <h1>Session {session}</h1>
        </div>
        <div class="tools">
          <a href={linkTo([projectUid, 'logs'], { [`metadata.${name}`]: session })}>Show as a list of logs</a>
        </div>
      </header>
      <Shown of={logs} what="the session">
        {({ logs: found, more }) =>
          found.length === 0 ? (
            <Empty title="No log belongs to this session.">
              <p class="muted">
                A session consists of all logs with the same <code>{name}</code> in their metadata.
              </p>
            </Empty>
          ) : (
            <>
              <p class="muted">
                {plural(found.length, 'log')}
                {more && `; older ones are in the list of logs`}
                {costOf(found)}
              </p>
              <ol class="session">
                {found.map((log, index) => (
                  <SessionLog key={log.id} log={log} whole={index >= found.length - SHOWN_WHOLE} />
                ))}
              </ol>
            </>
          )
        }
      </Shown>
    </section>
  );
}

function costOf(logs: LogSummary[]): string {
  const costs = logs.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return costs.length === 0 ? '' : `, ${formatCost(costs.reduce((sum, cost) => sum + cost, 0))} in all`;
}

function SessionLog({ log, whole }: { log: LogSummary; whole: boolean }) {
  const [open, setOpen] = useState(whole);
  const { id, project_uid, preview } = log;
  return (
    <li>
      <p class="session-facts muted">
        <Moment at={log.created_at} />
        <Status status={log.status} code={log.http_status} />
        <span>
          <ModelName log={log} />
        </span>
        <span class="number">{formatDuration(log.timing.total_ms)}</span>
        <a href={linkTo([project_uid, 'logs', id])}>Open the log</a>
      </p>
      {open ? (
        <WholeTurns log={log} />
      ) : (
        <div class="conversation">
          <TurnView turn={short('user', preview?.input)} />
          <TurnView turn={short('assistant', preview?.output)} />
          <p>
            <Button small onClick={() => setOpen(true)}>
              Show the whole text
            </Button>
          </p>
        </div>
      )}
    </li>
  );
}

function short(role: string, text: string | null | undefined): Turn {
  return { role, parts: text === null || text === undefined ? [] : [{ kind: 'text', text }] };
}

function WholeTurns({ log: { id, project_uid } }: { log: LogSummary }) {
  const loaded = useLoad(`log ${project_uid} ${id}`, (signal) => readLog(project_uid, id, signal));
  return (
    <Shown of={loaded} what="the log">
      {({ log }) => (
        <div class="conversation">
          {saidInThis(log).map((turn, index) => (
            <TurnView key={index} turn={turn} />
          ))}
          {(clientTurns(log) ?? answerTurns(log)).map((turn, index) => (
            <TurnView key={index} turn={turn} />
          ))}
          {log.error !== null && (
            <p class="note bad-note">
              <strong>{log.error.code}</strong> {log.error.message}
            </p>
          )}
        </div>
      )}
    </Shown>
  );
}

/** The turns that this request added: those after the last answer of the model. */
function saidInThis(log: Bodies): Turn[] {
  const turns = askedTurns(log);
  const last = turns.findLastIndex(({ role }) => role === 'assistant');
  return turns.slice(last + 1).filter(({ role }) => role !== 'system' && role !== 'developer');
}
