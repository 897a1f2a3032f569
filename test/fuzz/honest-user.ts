import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../../src/local/processes/wait.js';
import { CHAT_PATH, type Gateway, KEYS, MESSAGES } from '../support/gateway.js';

const PACE_MS = 20;

export interface Figures {
  count: number;
  failed: number;
  p50: number;
  p99: number;
}

/** A user of another endpoint, beside the campaign. */
export class HonestUser {
  readonly #process: ChildProcess;
  #times: number[] = [];

  constructor(gateway: Gateway, { path = CHAT_PATH, key = KEYS.inference as string } = {}) {
    const script = fileURLToPath(new URL('honest-client.mjs', import.meta.url));
    const body = JSON.stringify({ model: 'support', messages: MESSAGES });
    const url = gateway.sluice.gatewayUrl + path;
    this.#process = fork(script, [url, key, body, String(PACE_MS)]);
    this.#process.on('message', (ms) => this.#times.push(ms as number));
  }

  /** The figures of the next so many milliseconds, without the first requests, which open connections. */
  async measure(ms: number): Promise<Figures> {
    await waitFor('the honest client is served', async () => this.#times.length > 20, { timeoutMs: 30_000 });
    this.clear();
    await new Promise((resume) => setTimeout(resume, ms));
    return this.figures();
  }

  clear(): void {
    this.#times = [];
  }

  figures(): Figures {
    const good = this.#times.filter((ms) => ms >= 0).sort((a, b) => a - b);
    const at = (share: number) => Math.round(good[Math.floor(good.length * share)] ?? 0);
    return { count: good.length, failed: this.#times.length - good.length, p50: at(0.5), p99: at(0.99) };
  }

  stop(): void {
    this.#process.kill();
  }
}
