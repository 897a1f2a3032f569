import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { type Answer, call, callWhole } from '../api/client.ts';
import { useLoad } from '../app/load.ts';
import { linkTo } from '../app/router.ts';
import { session } from '../app/session.ts';
import { useStore } from '../app/store.ts';
import { tell } from '../app/toasts.tsx';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/confirm.tsx';
import { formatCount, plural } from '../ui/format.ts';
import { Empty, Shown } from '../ui/states.tsx';
import { DimensionDialog } from './dimension-dialog.tsx';
import { type Dimension, type Judging, type NamedQueue, titleOf, valuesOf } from './judging.ts';
import { QueueDialog } from './queue-dialog.tsx';

type Row = Answer<'GET /{project_uid}/agreement'>['data'][number];
type Editing = { dimension: Dimension | undefined } | { queue: NamedQueue | undefined };

/** The questions that people are asked about answers, the queues that ask them, and how far people agree. */
export function JudgingPage({ projectUid }: { projectUid: string }) {
  const isAdmin = useStore(session)?.kind === 'admin';
  const params = { project_uid: projectUid };
  const loaded = useLoad(`judging with version ${projectUid}`, (signal) =>
    callWhole('GET /{project_uid}/judging', { params, signal }),
  );
  const [editing, setEditing] = useState<Editing>();
  const [removing, setRemoving] = useState<{ title: string; next: Judging }>();
  const save = async (next: Judging) => {
    const headers = { 'if-match': loaded.data?.etag ?? '*' };
    loaded.set({ ...(await callWhole('PUT /{project_uid}/judging', { params, body: next, headers })) });
    setEditing(undefined);
    tell('The change was saved.');
  };
  return (
    <section class="page narrow-page" aria-label="Judging">
      <Shown of={loaded} what="dimensions and queues">
        {({ data: judging }) => (
          <>
            <Part
              title="Queues"
              onNew={isAdmin ? () => setEditing({ queue: undefined }) : undefined}
              what="queue"
            >
              {judging.queues.length === 0 ? (
                <Empty title="There is no named queue yet.">
                  <p class="muted">
                    A queue defines which logs are judged, by whom, and on which dimensions. The page Queue
                    then shows its logs one at a time.
                  </p>
                </Empty>
              ) : (
                <ul class="cards">
                  {judging.queues.map((queue) => (
                    <QueueCard
                      key={queue.name}
                      projectUid={projectUid}
                      queue={queue}
                      onEdit={isAdmin ? () => setEditing({ queue }) : undefined}
                      onRemove={() =>
                        setRemoving({
                          title: `Remove the queue ${titleOf(queue)}?`,
                          next: { ...judging, queues: judging.queues.filter((one) => one !== queue) },
                        })
                      }
                    />
                  ))}
                </ul>
              )}
            </Part>
            <Part
              title="Dimensions"
              onNew={isAdmin ? () => setEditing({ dimension: undefined }) : undefined}
              what="dimension"
            >
              {judging.dimensions.length === 0 ? (
                <p class="muted">
                  There are none yet. A dimension is a question about an answer, such as “Is it correct?”,
                  with a scale or with categories.
                </p>
              ) : (
                <ul class="cards">
                  {judging.dimensions.map((dimension) => (
                    <DimensionCard
                      key={dimension.name}
                      dimension={dimension}
                      onEdit={isAdmin ? () => setEditing({ dimension }) : undefined}
                      onRemove={() =>
                        setRemoving({
                          title: `Remove the dimension ${titleOf(dimension)}?`,
                          next: withoutDimension(judging, dimension),
                        })
                      }
                    />
                  ))}
                </ul>
              )}
            </Part>
            {editing !== undefined && 'dimension' in editing && (
              <DimensionDialog
                judging={judging}
                dimension={editing.dimension}
                onClose={() => setEditing(undefined)}
                onSave={save}
              />
            )}
            {editing !== undefined && 'queue' in editing && (
              <QueueDialog
                projectUid={projectUid}
                judging={judging}
                queue={editing.queue}
                onClose={() => setEditing(undefined)}
                onSave={save}
              />
            )}
          </>
        )}
      </Shown>
      <Agreement projectUid={projectUid} />
      {removing && (
        <Confirm
          title={removing.title}
          text="Judgements that people have already made are kept as feedback."
          action="Remove"
          onClose={() => setRemoving(undefined)}
          onConfirm={() => save(removing.next)}
        />
      )}
    </section>
  );
}

/** The queues without a dimension that is deleted. A queue keeps its other dimensions. */
function withoutDimension({ dimensions, queues }: Judging, { name }: Dimension): Judging {
  return {
    dimensions: dimensions.filter((one) => one.name !== name),
    queues: queues.map((queue) => ({
      ...queue,
      dimensions: (queue.dimensions ?? []).filter((one) => one !== name),
    })),
  };
}

interface PartProps {
  title: string;
  what: string;
  onNew: (() => void) | undefined;
  children: ComponentChildren;
}

function Part({ title, what, onNew, children }: PartProps) {
  return (
    <>
      <header class="page-head">
        <h1>{title}</h1>
        {onNew && (
          <Button icon="plus" onClick={onNew}>
            New {what}
          </Button>
        )}
      </header>
      {children}
    </>
  );
}

interface CardProps {
  onEdit: (() => void) | undefined;
  onRemove: () => void;
}

function Tools({ name, onEdit, onRemove }: CardProps & { name: string }) {
  if (onEdit === undefined) return null;
  return (
    <span class="tools">
      <Button small label={`Edit ${name}`} onClick={onEdit}>
        Edit
      </Button>
      <Button small quiet icon="trash" label={`Remove ${name}`} onClick={onRemove} />
    </span>
  );
}

function QueueCard({ projectUid, queue, ...tools }: CardProps & { projectUid: string; queue: NamedQueue }) {
  const { name, dimensions = [], people = [], judges = 1, sample } = queue;
  const marksPii = queue.task === 'mark_pii';
  return (
    <li class="card">
      <div class="row-between">
        <h2>
          <a href={linkTo([projectUid, 'queue'], { queue: name })}>{titleOf(queue)}</a>
        </h2>
        <Tools name={titleOf(queue)} {...tools} />
      </div>
      <p class="muted">
        {marksPii
          ? 'Marks personal data'
          : dimensions.length === 0
            ? 'One scale from 1 to 5'
            : dimensions.join(', ')}{' '}
        · {people.length === 0 ? 'everybody' : people.join(', ')} · {plural(judges, 'person', 'people')} for
        each log
        {sample !== undefined &&
          sample < 1 &&
          ` · a random ${Number((sample * 100).toPrecision(3))} % of the logs`}
      </p>
      {marksPii && (
        <p>
          <a href={`/${projectUid}/exports/pii.jsonl?queue=${name}`} download={`${name}.jsonl`}>
            Download the marks for sluice pii eval
          </a>
        </p>
      )}
    </li>
  );
}

function DimensionCard({ dimension, ...tools }: CardProps & { dimension: Dimension }) {
  const { help, scale } = dimension;
  return (
    <li class="card">
      <div class="row-between">
        <h2>{titleOf(dimension)}</h2>
        <Tools name={titleOf(dimension)} {...tools} />
      </div>
      <p class="muted">
        {scale === undefined ? valuesOf(dimension).join(', ') : `${scale.min} to ${scale.max}`}
        {help !== undefined && ` · ${help}`}
      </p>
    </li>
  );
}

/**
 * The words for a value of Krippendorff's alpha, by his own advice: from .8 on a result is reliable, below .667 it is not.
 */
function wordsOf(alpha: number | null): string {
  if (alpha === null) return 'too few judgements';
  if (alpha >= 0.8) return 'good';
  return alpha >= 0.667 ? 'fair' : 'low';
}

function Agreement({ projectUid }: { projectUid: string }) {
  const loaded = useLoad(`agreement ${projectUid}`, (signal) =>
    call('GET /{project_uid}/agreement', { params: { project_uid: projectUid }, signal }),
  );
  return (
    <>
      <header class="page-head">
        <h1>Agreement</h1>
      </header>
      <Shown of={loaded} what="the agreement">
        {({ data, searched }) =>
          data.length === 0 ? (
            <p class="muted">Nobody has judged a queue or a pair yet.</p>
          ) : (
            <>
              {searched !== undefined && (
                <p class="note">These numbers cover the newest {formatCount(searched)} judgements.</p>
              )}
              <AgreementTable rows={data} />
              <p class="muted">
                Krippendorff’s alpha is 1 when everybody agrees, and 0 when people agree no more often than by
                chance. If it is below 0.667, make the help text clearer before you rely on the scores.
              </p>
            </>
          )
        }
      </Shown>
    </>
  );
}

function AgreementTable({ rows }: { rows: Row[] }) {
  return (
    <div class="table-scroll" tabIndex={0}>
      <table class="list-table numbers">
        <thead>
          <tr>
            <th>Dimension</th>
            <th class="right">Alpha</th>
            <th>Agreement</th>
            <th class="right">Logs judged by several people</th>
            <th class="right">Judgements</th>
            <th class="right">People</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ dimension, alpha, units, judgements, people }) => (
            <tr key={dimension}>
              <td>{dimension}</td>
              <td class="right">{alpha === null ? '–' : alpha.toFixed(2)}</td>
              <td>{wordsOf(alpha)}</td>
              <td class="right">{formatCount(units)}</td>
              <td class="right">{formatCount(judgements)}</td>
              <td class="right">{formatCount(people)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
