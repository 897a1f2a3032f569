import { useEffect, useMemo, useState } from 'preact/hooks';
import { useShortcuts } from '../app/keyboard.ts';
import { useLoad } from '../app/load.ts';
import { go, linkTo, place, replaceWith } from '../app/router.ts';
import { may } from '../app/session.ts';
import { useStore } from '../app/store.ts';
import { FeedbackDialog } from '../edit/feedback-dialog.tsx';
import { logChanged, readLog, type Version } from '../edit/log-changes.ts';
import { MetadataDialog } from '../edit/metadata-dialog.tsx';
import { RatingButtons, rate } from '../edit/rating.tsx';
import { undoLast } from '../edit/undo.ts';
import { filterOf } from '../logs/filter.ts';
import { listFor, queryFor, sortOf } from '../logs/log-list.ts';
import { rememberSeen } from '../logs/logs-page.tsx';
import { Button } from '../ui/button.tsx';
import { Shown } from '../ui/states.tsx';
import { Status } from '../ui/status.tsx';
import { ConversationView } from './conversation-view.tsx';
import { copyText, curlOf } from './copy.ts';
import { LogSide } from './log-side.tsx';

type Open = 'feedback' | 'improve' | 'metadata' | undefined;

export function LogPage({ projectUid, id }: { projectUid: string; id: string }) {
  const loaded = useLoad(`log ${projectUid} ${id}`, (signal) => readLog(projectUid, id, signal));
  useEffect(() => {
    rememberSeen(id);
    return logChanged.listen((version) => version.log.id === id && loaded.set(version));
  }, [id, loaded.set]);
  const neighbours = useNeighbours(projectUid, id);
  useShortcuts('Logs', [
    { key: 'j', what: 'Next log', run: () => neighbours.goTo(neighbours.after), repeats: true },
    { key: 'k', what: 'Previous log', run: () => neighbours.goTo(neighbours.before), repeats: true },
    {
      key: 'Escape',
      what: 'Back to the list',
      run: () => go(linkTo([projectUid, 'logs'], neighbours.filter)),
    },
  ]);
  return (
    <Shown of={loaded} what="the log">
      {(version) => <OneLog version={version} neighbours={neighbours} />}
    </Shown>
  );
}

function OneLog({ version, neighbours }: { version: Version; neighbours: Neighbours }) {
  const { log } = version;
  const [open, setOpen] = useState<Open>();
  const [raw, setRaw] = useState(false);
  const { before, after, filter, goTo } = neighbours;
  const judges = may('feedback');
  useShortcuts('This log', [
    { key: 'g', what: 'Rate as good', run: () => void rate(version, '👍') },
    { key: 'b', what: 'Rate as bad', run: () => void rate(version, '👎') },
    ...(judges
      ? [
          { key: 'f', what: 'Give feedback', run: () => setOpen('feedback') },
          { key: 'e', what: 'Improve the answer', run: () => setOpen('improve') },
        ]
      : []),
    { key: 'm', what: 'Edit the metadata', run: () => setOpen('metadata') },
    { key: 'u', what: 'Undo the last change', run: () => void undoLast() },
  ]);
  const close = () => setOpen(undefined);
  return (
    <section class="page log-page" aria-label="Log">
      <header class="page-head">
        <div class="crumbs">
          <a href={linkTo([log.project_uid, 'logs'], filter)}>Logs</a>
          <h1 title={log.id}>
            {log.endpoint ?? 'No endpoint'} <Status status={log.status} code={log.http_status} />
          </h1>
        </div>
        <div class="tools">
          <RatingButtons version={version} />
          {judges && (
            <>
              <Button icon="plus" onClick={() => setOpen('feedback')}>
                Feedback
              </Button>
              <Button icon="pencil" onClick={() => setOpen('improve')}>
                Improve
              </Button>
            </>
          )}
          <span class="button-group">
            <Button
              icon="left"
              label="Previous log (k)"
              disabled={before === undefined}
              onClick={() => goTo(before)}
            />
            <Button
              icon="right"
              label="Next log (j)"
              disabled={after === undefined}
              onClick={() => goTo(after)}
            />
          </span>
        </div>
      </header>
      <div class="log-columns">
        <div class="log-main">
          <div class="row-between">
            <span class="button-group">
              <Button small pressed={!raw} onClick={() => setRaw(false)}>
                Conversation
              </Button>
              <Button small pressed={raw} onClick={() => setRaw(true)}>
                JSON
              </Button>
            </span>
            <span class="tools">
              <Button
                quiet
                small
                icon="copy"
                onClick={() => void copyText(JSON.stringify(log, null, 2), 'The log')}
              >
                JSON
              </Button>
              <Button quiet small icon="copy" onClick={() => void copyText(curlOf(log), 'The command')}>
                curl
              </Button>
            </span>
          </div>
          {raw ? (
            <pre class="raw" tabIndex={0}>
              {JSON.stringify(log, null, 2)}
            </pre>
          ) : (
            <ConversationView log={log} />
          )}
        </div>
        <LogSide version={version} onMetadata={() => setOpen('metadata')} />
      </div>
      {(open === 'feedback' || open === 'improve') && (
        <FeedbackDialog log={log} improve={open === 'improve'} onClose={close} />
      )}
      {open === 'metadata' && <MetadataDialog version={version} onClose={close} />}
    </section>
  );
}

type Neighbours = ReturnType<typeof useNeighbours>;

/** The previous and the next log in the list for the filter in the address. */
function useNeighbours(projectUid: string, id: string) {
  const { query } = useStore(place);
  const filter = useMemo(() => filterOf(query), [query.toString()]);
  const [, draw] = useState(0);
  const sort = sortOf(query);
  const list = listFor(projectUid, filter, sort);
  useEffect(() => {
    if (list.state.logs.length === 0) void list.loadMore();
    return list.changed.listen(() => draw((count) => count + 1));
  }, [list]);
  const at = list.indexOf(id);
  const { logs, more } = list.state;
  useEffect(() => {
    if (at >= logs.length - 1 && more && list.state.error === undefined) void list.loadMore();
  }, [at, logs.length]);
  return {
    filter: queryFor(filter, sort),
    goTo: (to: string | undefined) => {
      if (to !== undefined) replaceWith(linkTo([projectUid, 'logs', to], queryFor(filter, sort)));
    },
    before: at > 0 ? logs[at - 1]?.id : undefined,
    after: at === -1 ? undefined : logs[at + 1]?.id,
  };
}
