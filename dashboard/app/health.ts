import { serviceAway } from '../api/client.ts';
import { createSignal } from './signal.ts';
import { createStore } from './store.ts';

/** What is wrong with the service, for the line at the top; undefined while all is well. */
export const trouble = createStore<string | undefined>(undefined);
/** Told when it is over, so that what failed is asked for again. */
export const recovered = createSignal<void>();

const ASK_AGAIN_MS = 2_000;
let asking = false;

serviceAway.listen(({ status }) => {
  trouble.set(messageFor(status === 0 ? 'service' : 'storage'));
  if (!asking) void askUntilWell();
});

async function askUntilWell(): Promise<void> {
  asking = true;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    const state = await readState();
    if (state === 'well') break;
    trouble.set(messageFor(state));
  }
  asking = false;
  trouble.set(undefined);
  recovered.tell();
}

type State = 'well' | 'storage' | 'service';

async function readState(): Promise<State> {
  try {
    const response = await fetch('/healthz/ready', { cache: 'no-store' });
    const { parts } = (await response.json()) as { parts?: Record<string, string> };
    return parts?.mongodb === undefined || parts.mongodb === 'ready' ? 'well' : 'storage';
  } catch {
    return 'service';
  }
}

function messageFor(state: Exclude<State, 'well'>): string {
  return state === 'service'
    ? 'Sluice does not answer. This page goes on by itself as soon as it does.'
    : 'MongoDB is away. Model calls go on and their logs are kept; this page goes on by itself as soon as it is back.';
}
