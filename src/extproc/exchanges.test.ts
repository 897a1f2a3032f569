import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadAccessLog } from '../../test/support/ext-proc.js';
import { requestBody, TestPipeline } from '../../test/support/pipeline.js';
import type { CallListener } from '../grpc/call.js';
import { receive } from '../pipeline/request/receive.js';
import { AccessLog } from './access-log.js';
import { Exchanges } from './exchanges.js';
import { text } from './messages.js';

const { StreamAccessLogs } = loadAccessLog();

/** A stream of Envoy's access log. */
class LogCall {
  readonly metadata = new Map<string, string>();
  readonly writable = true;
  readonly hasWaiting = false;
  answers = 0;
  ends = 0;
  readonly #listener: CallListener;

  constructor(log: AccessLog) {
    this.#listener = log.serve(this);
  }

  write(): void {
    this.answers++;
  }

  end(): void {
    this.ends++;
  }

  fail(): void {}

  close(): void {
    this.#listener.onEnd(false);
  }

  send(key: string, responseFlags = {}): void {
    const metadata = { filterMetadata: { 'sluice.exchange': { fields: { key: text(key) } } } };
    this.#send({ commonProperties: { metadata, responseFlags } });
  }

  /** No connection was there for the try of the request with this id. */
  sendUnconnected(requestId: string): void {
    const commonProperties = { responseFlags: { upstreamConnectionFailure: true } };
    this.#send({ commonProperties, request: { requestId } });
  }

  #send(entry: object): void {
    this.#listener.onMessage(StreamAccessLogs.requestSerialize({ httpLogs: { logEntry: [entry] } }));
  }
}

function serve(log: AccessLog): LogCall {
  return new LogCall(log);
}

describe('the exchanges that are under way', () => {
  let pipeline: TestPipeline;
  let exchanges: Exchanges;
  beforeEach(() => {
    vi.useFakeTimers();
    pipeline = new TestPipeline();
    exchanges = new Exchanges();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('are found by their key alone, as long as they are there', () => {
    const [one, two] = [pipeline.exchange(), pipeline.exchange()];
    const keys = [exchanges.add(one), exchanges.add(two)];
    expect(keys[0]).not.toBe(keys[1]);
    expect(keys.map((key) => exchanges.find(key))).toEqual([one, two]);
    expect([exchanges.find(one.id), exchanges.find('')]).toEqual([undefined, undefined]);
    exchanges.remove(keys[0]!);
    expect([exchanges.find(keys[0]!), exchanges.size]).toEqual([undefined, 1]);
  });

  it("are broken off where Envoy's log says so, before it is asked or soon after", async () => {
    const call = serve(new AccessLog(exchanges));
    const [early, late] = [exchanges.add(pipeline.exchange()), exchanges.add(pipeline.exchange())];
    call.send(early);
    expect(await exchanges.isBrokenOff(early)).toBe(true);
    const asked = exchanges.isBrokenOff(late);
    call.send(late);
    expect(await asked).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each(['downstreamConnectionTermination', 'downstreamRemoteReset'])(
    "are not broken off where Envoy's log says that the client left (%s)",
    async (flag) => {
      const call = serve(new AccessLog(exchanges));
      const key = exchanges.add(pipeline.exchange());
      const asked = exchanges.isBrokenOff(key);
      call.send(key, { [flag]: true });
      expect(await asked).toBe(false);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it('are not broken off where nothing is said of them, or of another', async () => {
    const call = serve(new AccessLog(exchanges));
    const [key, other] = [exchanges.add(pipeline.exchange()), exchanges.add(pipeline.exchange())];
    call.send(other);
    call.send('unknown');
    const asked = exchanges.isBrokenOff(key);
    await vi.runAllTimersAsync();
    expect(await asked).toBe(false);
    expect(await exchanges.isBrokenOff('unknown')).toBe(false);
  });

  it('learn that a try found no connection', async () => {
    const call = serve(new AccessLog(exchanges));
    const exchange = pipeline.exchange();
    exchanges.add(exchange);
    await receive(exchange, requestBody(), pipeline.services);
    const { attempt } = pipeline.attempt(exchange);
    call.sendUnconnected('another');
    expect(attempt.unconnected).toBe(false);
    call.sendUnconnected(exchange.id);
    expect(attempt.unconnected).toBe(true);
  });
});

describe("a stream of Envoy's access log", () => {
  it('is answered once, when it ends or when the engine closes', () => {
    const log = new AccessLog(new Exchanges());
    const [ended, open] = [serve(log), serve(log)];
    ended.close();
    log.close();
    open.close();
    expect([ended.answers, ended.ends, open.answers, open.ends]).toEqual([1, 1, 1, 1]);
  });
});
