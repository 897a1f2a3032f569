import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadAccessLog } from '../../test/support/ext-proc.js';
import { requestBody, TestPipeline } from '../../test/support/pipeline.js';
import type { CallListener } from '../grpc/call.js';
import { receive } from '../pipeline/request/receive.js';
import { AccessLog } from './access-log.js';
import { Exchanges } from './exchanges.js';
import { text } from './messages.js';
import { PassedStream } from './passed-stream.js';

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

  /** An attempt, with these headers, of the request with this id, got no answer. */
  sendUnanswered(requestId: string, number: number, responseFlags: object): void {
    this.sendUnansweredWith(requestId, { 'x-envoy-attempt-count': String(number) }, responseFlags);
  }

  sendUnansweredWith(requestId: string, requestHeaders: object, responseFlags: object): void {
    const request = { requestId, requestHeaders };
    this.#send({ commonProperties: { responseFlags }, request });
  }

  #send(entry: object): void {
    this.#listener.onMessage(StreamAccessLogs.requestSerialize({ httpLogs: { logEntry: [entry] } }));
  }
}

function serve(log: AccessLog): LogCall {
  return new LogCall(log);
}

describe('the exchanges in progress', () => {
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

  it('are found by their key only, as long as they exist', () => {
    const [one, two] = [pipeline.exchange(), pipeline.exchange()];
    const keys = [exchanges.add(one), exchanges.add(two)];
    expect(keys[0]).not.toBe(keys[1]);
    expect(keys.map((key) => exchanges.find(key)?.exchange)).toEqual([one, two]);
    expect([exchanges.find(one.id), exchanges.find('')]).toEqual([undefined, undefined]);
    exchanges.remove(keys[0]!);
    expect([exchanges.find(keys[0]!), exchanges.size]).toEqual([undefined, 1]);
  });

  it("count as broken off where Envoy's log says so, before the question or soon after", async () => {
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
    "do not count as broken off where Envoy's log says that the client left (%s)",
    async (flag) => {
      const call = serve(new AccessLog(exchanges));
      const key = exchanges.add(pipeline.exchange());
      const asked = exchanges.isBrokenOff(key);
      call.send(key, { [flag]: true });
      expect(await asked).toBe(false);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it('do not count as broken off where the log says nothing of them', async () => {
    const call = serve(new AccessLog(exchanges));
    const [key, other] = [exchanges.add(pipeline.exchange()), exchanges.add(pipeline.exchange())];
    call.send(other);
    call.send('unknown');
    const asked = exchanges.isBrokenOff(key);
    await vi.runAllTimersAsync();
    expect(await asked).toBe(false);
    expect(await exchanges.isBrokenOff('unknown')).toBe(false);
  });

  it.each([
    ['connect', { upstreamConnectionFailure: true }],
    ['timeout', { upstreamRequestTimeout: true }],
    ['timeout', { upstreamRequestTimeout: true, upstreamConnectionFailure: true }],
    ['server_error', {}],
  ])(
    'learn why an attempt got no answer, before the question or soon after: %s for %j',
    async (reason, flags) => {
      const call = serve(new AccessLog(exchanges));
      const [early, late] = [pipeline.exchange(), pipeline.exchange()];
      for (const exchange of [early, late]) exchanges.add(exchange);
      call.sendUnanswered(early.id, 2, flags);
      expect(exchanges.whyUnanswered(early.id, 2)).toBe(reason);
      const asked = exchanges.whyUnanswered(late.id, 1);
      // Of others, and of another attempt.
      call.sendUnanswered('another', 1, flags);
      call.sendUnanswered(late.id, 2, { upstreamRemoteReset: true });
      call.sendUnanswered(late.id, 1, flags);
      expect(await asked).toBe(reason);
      expect(vi.getTimerCount()).toBe(0);
    },
  );

  it('learn the same of the last attempt that was logged', async () => {
    const call = serve(new AccessLog(exchanges));
    const exchange = pipeline.exchange();
    exchanges.add(exchange);
    await receive(exchange, requestBody(), pipeline.services);
    pipeline.attempt(exchange);
    const asked = exchanges.whyUnanswered(exchange.id, 1);
    call.sendUnansweredWith(
      exchange.id,
      { traceparent: '00-a', 'x-envoy-attempt-count': '2' },
      { upstreamConnectionFailure: true },
    );
    call.sendUnansweredWith(exchange.id, { traceparent: '00-a' }, { upstreamRequestTimeout: true });
    expect([await asked, exchanges.whyUnanswered(exchange.id, 2)]).toEqual(['timeout', 'connect']);
  });

  it('begin their attempts one after the other', async () => {
    const key = exchanges.add(pipeline.exchange());
    const began: string[] = [];
    expect(exchanges.beginInTurn(key, () => void began.push('one'))).toBeUndefined();
    let goOn = () => {};
    const second = exchanges.beginInTurn(key, () => {
      began.push('two');
      return new Promise((resolve) => {
        goOn = resolve;
      });
    });
    const third = exchanges.beginInTurn(key, async () => {
      began.push('three');
      throw new Error('three');
    });
    const fourth = exchanges.beginInTurn(key, () => void began.push('four'));
    const begun = exchanges.begun(key, 0);
    expect(began).toEqual(['one', 'two']);
    goOn();
    await second;
    await expect(third).rejects.toThrow('three');
    await fourth;
    await begun;
    expect(began).toEqual(['one', 'two', 'three', 'four']);
    expect(exchanges.begun(key, 0)).toBeUndefined();
  });

  describe('whose attempts come on other connections', () => {
    const stream = () => new PassedStream(pipeline.exchange().bodies, { wake: () => {}, fail: () => {} });

    it('wait for as many as Envoy has made', async () => {
      const key = exchanges.add(pipeline.exchange(), stream());
      const began: string[] = [];
      exchanges.beginInTurn(key, () => void began.push('one'));
      const begun = Promise.resolve(exchanges.begun(key, 3)).then(() => [...began]);
      exchanges.beginInTurn(key, () => void began.push('two'));
      await vi.advanceTimersByTimeAsync(500);
      void exchanges.beginInTurn(key, async () => void began.push('three'));
      expect(await begun).toEqual(['one', 'two', 'three']);
      expect(exchanges.begun(key, 3)).toBeUndefined();
    });

    it('wait a second at most', async () => {
      const key = exchanges.add(pipeline.exchange(), stream());
      const begun = exchanges.begun(key, 1);
      expect(begun).toBeInstanceOf(Promise);
      await vi.advanceTimersByTimeAsync(1_000);
      await begun;
    });

    it('do not wait where only one model is asked, whose attempt never arrives', () => {
      expect(exchanges.begun(exchanges.add(pipeline.exchange()), 1)).toBeUndefined();
      expect(exchanges.begun('unknown', 1)).toBeUndefined();
    });
  });

  it('do not wait forever to learn why an attempt got no answer', async () => {
    const exchange = pipeline.exchange();
    exchanges.add(exchange);
    const asked = exchanges.whyUnanswered(exchange.id, 1);
    await vi.runAllTimersAsync();
    expect(await asked).toBe('server_error');
    expect(exchanges.whyUnanswered('unknown', 1)).toBe('server_error');
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
