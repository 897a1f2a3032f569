import { messageOf } from '../api/client.ts';
import { tell } from '../app/toasts.tsx';

interface Change {
  what: string;
  undo: () => Promise<void>;
  /** Removes the message with the offer to undo. */
  dismiss: () => void;
}

const KEPT = 20;
const changes: Change[] = [];

/** Says that a change was made, and offers to undo it. */
export function changed(what: string, undo: () => Promise<void>): void {
  const change: Change = { what, undo, dismiss: () => {} };
  changes.push(change);
  if (changes.length > KEPT) changes.shift()?.dismiss();
  change.dismiss = tell(what, { action: { label: 'Undo', run: () => void takeBack(change) } });
}

/** Undoes the last change. False where there is none. */
export async function undoLast(): Promise<boolean> {
  const change = changes.at(-1);
  if (change === undefined) {
    tell('There is nothing to undo.');
    return false;
  }
  return takeBack(change);
}

async function takeBack(change: Change): Promise<boolean> {
  const at = changes.indexOf(change);
  if (at === -1) return false;
  changes.splice(at, 1);
  change.dismiss();
  try {
    await change.undo();
    tell(`Undone: ${change.what}`);
    return true;
  } catch (error) {
    tell(`The change could not be undone: ${messageOf(error)}`, { tone: 'bad' });
    return false;
  }
}
