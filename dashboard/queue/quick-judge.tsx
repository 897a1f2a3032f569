import { useState } from 'preact/hooks';
import { useShortcuts } from '../app/keyboard.ts';
import { may } from '../app/session.ts';
import { FeedbackDialog } from '../edit/feedback-dialog.tsx';
import { giveFeedback, patchLog } from '../edit/log-changes.ts';
import { Button } from '../ui/button.tsx';
import { formatScore } from '../ui/format.ts';
import { skipShortcut, TurnButtons } from './turn-buttons.tsx';
import type { Queue, Turn } from './use-queue.ts';

/** The scores of the keys 1 to 5. */
const SCORES = [-1, -0.5, 0, 0.5, 1] as const;

/** Judges a log with one key: a thumb or a score. */
export function QuickJudge({ queue, turn }: { queue: Queue; turn: Turn }) {
  const [improving, setImproving] = useState(false);
  const { version } = turn;
  const { log } = version;
  const judge = (work: () => Promise<unknown>) => queue.judge(log.id, work);
  const good = () => judge(() => patchLog(version, { quality_rating: '👍' }, 'Rated as good.'));
  const bad = () => judge(() => patchLog(version, { quality_rating: '👎' }, 'Rated as bad.'));
  const score = (value: number) =>
    judge(() =>
      giveFeedback(log, { score: value, weight: 1, signal_name: 'judgement' }, `Score ${formatScore(value)}`),
    );
  const scores = may('feedback');
  useShortcuts('Judging', [
    { key: 'g', what: 'Rate as good', run: good },
    { key: 'b', what: 'Rate as bad', run: bad },
    ...(scores
      ? [
          ...SCORES.map((value, index) => ({
            key: String(index + 1),
            what: `Score ${formatScore(value)}`,
            run: () => score(value),
          })),
          { key: 'e', what: 'Improve the answer', run: () => setImproving(true) },
        ]
      : []),
    skipShortcut(queue, log),
  ]);
  return (
    <>
      <fieldset class="judge-bar" disabled={queue.busy}>
        <legend class="hidden">Judge this answer</legend>
        <Button icon="good" onClick={good}>
          Good <kbd>g</kbd>
        </Button>
        <Button icon="bad" onClick={bad}>
          Bad <kbd>b</kbd>
        </Button>
        {scores && (
          <>
            <span class="button-group">
              {SCORES.map((value, index) => (
                <Button
                  key={value}
                  label={`${index + 1}: score ${formatScore(value)}`}
                  onClick={() => score(value)}
                >
                  {String(index + 1)}
                </Button>
              ))}
            </span>
            <Button icon="pencil" onClick={() => setImproving(true)}>
              Improve <kbd>e</kbd>
            </Button>
          </>
        )}
        <TurnButtons queue={queue} log={log} />
      </fieldset>
      {improving && (
        <FeedbackDialog
          log={log}
          improve
          onClose={() => setImproving(false)}
          onDone={() => queue.judge(log.id, async () => {})}
        />
      )}
    </>
  );
}
