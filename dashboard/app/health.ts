import { serviceAway } from '../api/client.ts';
import { createSignal } from './signal.ts';
import { createStore } from './store.ts';

/** The text of the line at the top that says what is wrong with the service; undefined while all is well. */
export const trouble = createStore<string | undefined>(undefined);
/** Fires when the service answers again, so that failed calls are repeated. */
export const recovered = createSignal<void>();

const ASK_AGAIN_MS = 2_000;
let asking = false;

serviceAway.listen(({ status }) => tellAway(status === 0 ? 'service' : 'storage'));

/** Shows at the top of the page which part does not answer, and asks again until it does. */
export function tellAway(what: Exclude<State, 'well'>): void {
  trouble.set(messageFor(what));
  if (!asking) void askUntilWell();
}

/** Checks the service without a call that a reader waits for. */
export async function checkService(): Promise<void> {
  if (asking) return;
  const state = await readState();
  if (state !== 'well') tellAway(state);
}

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

/** The service's description of a changed sluice.yaml that it rejected; undefined while there is none. */
export const refusedConfiguration = createStore<string | undefined>(undefined);
const LOOK_MS = 60_000;

/** Checks the service from time to time, for readers who only watch a page. */
export function followHealth(): () => void {
  void readState();
  const timer = setInterval(() => !document.hidden && void readState(), LOOK_MS);
  return () => clearInterval(timer);
}

async function readState(): Promise<State> {
  try {
    const response = await fetch('/healthz/ready', { cache: 'no-store' });
    const { parts, details } = (await response.json()) as {
      parts?: Record<string, string>;
      details?: Record<string, string>;
    };
    refusedConfiguration.set(details?.configuration);
    return parts?.mongodb === undefined || parts.mongodb === 'ready' ? 'well' : 'storage';
  } catch {
    return 'service';
  }
}

function messageFor(state: Exclude<State, 'well'>): string {
  return state === 'service'
    ? 'Sluice does not answer. This page will reload its data when Sluice is back.'
    : 'MongoDB is away. Model calls continue and their logs are kept. This page will reload its data when MongoDB is back.';
}
