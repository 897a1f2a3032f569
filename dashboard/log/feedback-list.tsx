import { useEffect } from 'preact/hooks';
import { call, type Log } from '../api/client.ts';
import { useLoad } from '../app/load.ts';
import { may } from '../app/session.ts';
import { feedbackChanged, removeFeedback } from '../edit/log-changes.ts';
import { tellFailure } from '../edit/rating.tsx';
import { Button } from '../ui/button.tsx';
import { formatScore } from '../ui/format.ts';
import { Markdown } from '../ui/markdown.tsx';
import { Moment } from '../ui/moment.tsx';
import { Shown } from '../ui/states.tsx';

export function FeedbackList({ log }: { log: Log }) {
  const { id, project_uid } = log;
  const params = { project_uid, id };
  const signals = useLoad(`feedback ${project_uid} ${id}`, (signal) =>
    call('GET /{project_uid}/logs/{id}/feedback', { params, query: { limit: 200 }, signal }),
  );
  useEffect(
    () =>
      feedbackChanged.listen((changed) => {
        if (changed === id) signals.reload();
      }),
    [id, signals.reload],
  );
  return (
    <Shown of={signals} what="feedback">
      {({ data, next_cursor }) =>
        data.length === 0 ? (
          <p class="muted">No feedback yet. Press f to give feedback, or e to write a better answer.</p>
        ) : (
          <ul class="signals">
            {data.map((one) => (
              <li key={one.id}>
                <div class="row-between">
                  <span>
                    <strong class={one.score < 0 ? 'bad' : 'good'}>{formatScore(one.score)}</strong>{' '}
                    <span class="muted">
                      weight {one.weight}
                      {one.signal_name !== null && ` · ${one.signal_name}`} · {one.signal_source},{' '}
                      {one.signal_type}
                    </span>
                  </span>
                  <span>
                    <span class="muted">
                      <Moment at={one.created_at} />
                    </span>
                    {may('feedback') && (
                      <Button
                        quiet
                        small
                        icon="trash"
                        label="Remove this feedback"
                        onClick={() => void removeFeedback(project_uid, id, one.id).catch(tellFailure)}
                      />
                    )}
                  </span>
                </div>
                {one.qualitative_feedback !== null && <p class="plain-text">{one.qualitative_feedback}</p>}
                {one.improvement !== null && (
                  <details class="fold">
                    <summary>Better answer</summary>
                    <Markdown text={one.improvement.content} />
                  </details>
                )}
              </li>
            ))}
            {next_cursor !== null && <li class="muted">Only the first {data.length} signals are shown.</li>}
          </ul>
        )
      }
    </Shown>
  );
}
