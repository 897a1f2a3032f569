import { checkService, tellAway } from '../app/health.ts';

const QUIET_MS = 300;
const POLL_MS = 5_000;

/**
 * Calls `onNew` when logs may have landed: when the event stream says so, or every few seconds where the stream does
 * not work. Returns the function that ends it.
 */
export function watchForNew(projectUid: string, onNew: () => void): () => void {
  let settling: number | undefined;
  let polling: number | undefined;
  const soon = () => {
    settling ??= setTimeout(() => {
      settling = undefined;
      if (!document.hidden) onNew();
    }, QUIET_MS);
  };
  const poll = () => {
    polling ??= setInterval(() => {
      if (!document.hidden) onNew();
    }, POLL_MS);
  };
  const source = new EventSource(`/${encodeURIComponent(projectUid)}/logs/events`);
  source.onmessage = soon;
  // The first event of the stream. It is also sent after the stream has skipped events.
  source.addEventListener('sync', soon);
  // Tells readers who only look at the page.
  source.addEventListener('away', () => tellAway('storage'));
  source.onopen = () => {
    clearInterval(polling);
    polling = undefined;
  };
  source.onerror = () => {
    poll();
    // Where the service itself is down, this check will show it.
    void checkService();
  };
  document.addEventListener('visibilitychange', soon);
  return () => {
    source.close();
    clearTimeout(settling);
    clearInterval(polling);
    document.removeEventListener('visibilitychange', soon);
  };
}
