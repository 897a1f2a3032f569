import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { requestBody, TestPipeline } from '../../test/support/pipeline.js';
import { receive } from '../pipeline/request/receive.js';
import { AccessLog } from './access-log.js';
import { Exchanges } from './exchanges.js';
import { text } from './messages.js';
import type { AccessLogMessage } from './protocol.js';

/** A stream of Envoy's access log, as far as it is listened to. */
class LogCall extends EventEmitter {
  answers = 0;

  send(key: string): void {
    const metadata = { filterMetadata: { 'sluice.exchange': { fields: { key: text(key) } } } };
    const message: AccessLogMessage = { httpLogs: { logEntry: [{ commonProperties: { metadata } }] } };
    this.emit('data', message);
  }

  /** No connection was there for the try of the request with this id. */
  sendUnconnected(requestId: string): void {
    const commonProperties = { responseFlags: { upstreamConnectionFailure: true } };
    this.emit('data', { httpLogs: { logEntry: [{ commonProperties, request: { requestId } }] } });
  }
}

function serve(log: AccessLog): LogCall {
  const call = new LogCall();
  log.serve(call as never, () => void call.answers++);
  return call;
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
    ended.emit('end');
    ended.emit('cancelled');
    log.close();
    open.emit('end');
    expect([ended.answers, open.answers]).toEqual([1, 1]);
  });
});
