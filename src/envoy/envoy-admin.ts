import { setTimeout as sleep } from 'node:timers/promises';
import { counted } from '../core/texts/counted.js';
import { requestOverSocket } from './socket-request.js';

const LOOK_INTERVAL_MS = 100;
const REPORT_INTERVAL_MS = 5_000;

/** Envoy's administration interface, which the bootstrap opens on a Unix socket in the data directory. */
export class EnvoyAdmin {
  readonly socketPath: string;

  constructor(socketPath: string) {
    this.socketPath = socketPath;
  }

  async isLive(): Promise<boolean> {
    return (await requestOverSocket(this.socketPath, 'GET', '/ready')).status === 200;
  }

  /** The counters and gauges whose names match a pattern (RE2 syntax). */
  async stats(pattern: string): Promise<Map<string, number>> {
    const path = `/stats?filter=${encodeURIComponent(pattern)}`;
    const { body } = await requestOverSocket(this.socketPath, 'GET', path);
    const stats = new Map<string, number>();
    for (const line of body.split('\n')) {
      const colon = line.lastIndexOf(': ');
      const value = Number(line.slice(colon + 2));
      if (colon !== -1 && Number.isFinite(value)) stats.set(line.slice(0, colon), value);
    }
    return stats;
  }

  /**
   * The number of requests in flight through Envoy's listeners. Calls of the administration interface do not count.
   */
  async requestsInFlight(): Promise<number> {
    let sum = 0;
    for (const [name, value] of await this.stats('^http\\..*\\.downstream_rq_active$')) {
      if (name !== 'http.admin.downstream_rq_active') sum += value;
    }
    return sum;
  }

  /** Makes Envoy report that it is not ready, and close each kept-alive connection with its next answer. */
  async failHealthCheck(): Promise<void> {
    await requestOverSocket(this.socketPath, 'POST', '/healthcheck/fail');
  }

  /**
   * Stops new connections and resolves when no request is in flight. SIGTERM alone would cut requests off. A failed
   * health check makes Envoy close each kept-alive connection with its next answer. The number of requests is read
   * twice, because a request may just be arriving on such a connection. A stream that is never quiet has no timeout of
   * its own, so the drain gives up after `timeoutMs` and says what is still in flight: Envoy cuts it when it ends.
   */
  async drain(report: (line: string) => void, timeoutMs: number): Promise<void> {
    await this.failHealthCheck();
    await requestOverSocket(this.socketPath, 'POST', '/drain_listeners');
    const startedAt = performance.now();
    let reportedAt = startedAt;
    for (let quietLooks = 0; quietLooks < 2; ) {
      const inFlight = await this.requestsInFlight();
      const now = performance.now();
      if (inFlight > 0 && now - startedAt >= timeoutMs) {
        report(
          `${counted(inFlight, 'request')} had not finished after ${timeoutMs / 1000} s and will be cut off`,
        );
        return;
      }
      quietLooks = inFlight === 0 ? quietLooks + 1 : 0;
      if (inFlight > 0 && now - reportedAt > REPORT_INTERVAL_MS) {
        reportedAt = now;
        report(`waiting for ${counted(inFlight, 'request')} to finish`);
      }
      await sleep(LOOK_INTERVAL_MS);
    }
  }
}
