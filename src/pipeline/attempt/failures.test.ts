import { describe, expect, it } from 'vitest';
import { requestBody, TestPipeline } from '../../../test/support/pipeline.js';
import { receive } from '../request/receive.js';
import { reasonOfLocalReply, reasonOfStatus, tryTimeLeft, unansweredError } from './failures.js';

describe('a status', () => {
  it.each([
    [200, undefined],
    [400, undefined],
    [404, undefined],
    [408, undefined],
    [429, 'rate_limited'],
    [499, undefined],
    [500, 'server_error'],
    [503, 'server_error'],
    [529, 'rate_limited'],
    [599, 'server_error'],
  ])('%i counts as a failure of the model: %s', (status, reason) => {
    expect(reasonOfStatus(status)).toBe(reason);
  });
});

describe("an answer of Envoy in place of the provider's", () => {
  it.each([
    [
      'upstream_reset_before_response_started{remote_connection_failure|delayed_connect_error:_Connection_refused}',
      'connect',
    ],
    ['upstream_reset_before_response_started{connection_timeout}', 'connect'],
    ['no_healthy_upstream', 'connect'],
    ['cluster_not_found', 'connect'],
    ['dns_resolution_failure', 'connect'],
    ['upstream_reset_before_response_started{connection_termination}', 'server_error'],
    ['upstream_reset_before_response_started{protocol_error}', 'server_error'],
    ['response_timeout', 'timeout'],
    ['upstream_per_try_timeout', 'timeout'],
    ['anything else', 'server_error'],
  ])('with %s means %s', (details, reason) => {
    expect(reasonOfLocalReply(details)).toBe(reason);
  });

  it.each([
    ['connect', 'upstream_unavailable', 502],
    ['server_error', 'upstream_unavailable', 502],
    ['timeout', 'upstream_timeout', 504],
  ] as const)('with %s becomes for the client %s', (reason, code, status) => {
    expect(unansweredError(reason)).toMatchObject({ code, status });
  });
});

it('a try has the time of its endpoint, counted from its own start', async () => {
  const pipeline = new TestPipeline();
  const exchange = pipeline.exchange();
  const left = () => tryTimeLeft(exchange, pipeline.clock.monotonic());
  expect(left()).toBe(Number.POSITIVE_INFINITY);
  await receive(exchange, requestBody(), pipeline.services);
  pipeline.clock.pass(700);
  pipeline.attempt(exchange);
  pipeline.clock.pass(400);
  expect(left()).toBe(600);
});
