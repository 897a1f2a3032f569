import { describe, expect, it } from 'vitest';
import { requestBody, TestPipeline } from '../../../test/support/pipeline.js';
import { nextRoundOfLoop } from '../../core/pacing/pace.js';
import type { Plugin } from '../../plugins/contract/plugin.js';
import { receive } from '../request/receive.js';

/** Longer than one turn of work may take. */
const LONG_MS = 6;

function guard(name: string, request: () => void): Plugin<unknown> {
  return {
    name,
    configSchema: {},
    request: () => {
      request();
      return { action: 'pass' };
    },
  };
}

/** A request that was received; in the endpoint's order those that observe come first. */
async function received(observing: Plugin<unknown>[], enforcing: Plugin<unknown>[] = []) {
  const entry = { phases: [], config: {}, timeout_ms: 1_000, isolate: false, sample: 1 };
  const entries = [
    ...observing.map(({ name }) => ({ ...entry, plugin: name, mode: 'observe' as const })),
    ...enforcing.map(({ name }) => ({ ...entry, plugin: name, mode: 'enforce' as const })),
  ];
  const plugins = [...observing, ...enforcing];
  const pipeline = new TestPipeline({ plugins, endpoint: { plugins: entries } });
  const exchange = pipeline.exchange();
  await receive(exchange, requestBody({}), pipeline.services);
  return exchange;
}

describe('plugins that only observe', () => {
  it('look at a request after those that enforce, whatever their order, once it has been sent on', async () => {
    const seen: string[] = [];
    const [observing, enforcing] = ['observing', 'enforcing'].map((name) =>
      guard(name, () => seen.push(name)),
    );
    const exchange = await received([observing!], [enforcing!]);
    seen.push('received');
    expect((await exchange.observedRequest)?.map(({ outcome }) => outcome)).toEqual(['passed']);
    expect(seen).toEqual(['enforcing', 'received', 'observing']);
  });

  it('let other work run between them, and are reported in their order', async () => {
    const seen: string[] = [];
    const names = ['first', 'second', 'third', 'fourth'];
    const work = (name: string) => () => {
      seen.push(name);
      for (const end = performance.now() + LONG_MS; performance.now() < end; );
    };
    const exchange = await received(names.map((name) => guard(name, work(name))));
    let isOver = false;
    const over = exchange.observedRequest?.finally(() => {
      isOver = true;
    });
    while (!isOver) {
      await nextRoundOfLoop();
      if (seen.at(-1) !== 'other') seen.push('other');
    }
    expect((await over)?.map(({ plugin }) => plugin)).toEqual(names);
    expect(seen.slice(seen.indexOf('first'), seen.indexOf('fourth'))).toContain('other');
  });
});
