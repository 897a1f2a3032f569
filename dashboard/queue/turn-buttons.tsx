import type { Log } from '../api/client.ts';
import { Button } from '../ui/button.tsx';
import type { Queue } from './use-queue.ts';

/** The buttons at the end of each bar of a queue: skip this log, and undo the last judgement. */
export function TurnButtons({ queue, log }: { queue: Queue; log: Log }) {
  return (
    <>
      <Button quiet onClick={() => queue.skip(log)}>
        Skip <kbd>s</kbd>
      </Button>
      <Button quiet onClick={() => void queue.undo()}>
        Undo <kbd>u</kbd>
      </Button>
    </>
  );
}

/** The shortcut for `Skip`. (The shortcut for `Undo` also works when no log is left.) */
export function skipShortcut(queue: Queue, log: Log) {
  return { key: 's', what: 'Skip, and leave it to somebody else', run: () => queue.skip(log) };
}
