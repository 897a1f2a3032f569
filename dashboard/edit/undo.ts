import { messageOf } from '../api/client.ts';
import { tell } from '../app/toasts.tsx';

interface Change {
  what: string;
  undo: () => Promise<void>;
}

const KEPT = 20;
const changes: Change[] = [];

/** Tells of a change that was made, with the way back. */
export function changed(what: string, undo: () => Promise<void>): void {
  const change = { what, undo };
  changes.push(change);
  if (changes.length > KEPT) changes.shift();
  tell(what, { action: { label: 'Undo', run: () => void takeBack(change) } });
}

/** Takes the last change back. False where there is none. */
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
  try {
    await change.undo();
    tell(`Undone: ${change.what}`);
    return true;
  } catch (error) {
    tell(`Not undone: ${messageOf(error)}`, { tone: 'bad' });
    return false;
  }
}
