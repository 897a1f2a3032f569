import { describe, expect, it, vi } from 'vitest';
import { requestBody, TestPipeline } from '../../../test/support/pipeline.js';
import { pluginEntry } from '../../../test/support/plugin-host.js';
import type { LogRecord } from '../../core/log-record.js';
import type { PluginEntry } from '../../core/settings.js';
import type { Plugin } from '../../plugins/contract/plugin.js';
import { receive } from '../request/receive.js';
import { finish } from './finish.js';

const tagging: Plugin<unknown> = {
  name: 'tagging',
  configSchema: {},
  log: () => ({ addTags: ['seen'] }),
};

async function finished(plugins: Plugin<unknown>[], entries?: PluginEntry[]): Promise<TestPipeline> {
  const endpoint = entries === undefined ? {} : { plugins: entries };
  const pipeline = new TestPipeline({ plugins, endpoint });
  const exchange = pipeline.exchange();
  await receive(exchange, requestBody(), pipeline.services);
  await finish(exchange, { status: 'success', httpStatus: 200, response: null }, pipeline.services);
  return pipeline;
}

describe('the LOG phase', () => {
  it('is marked on the record before it runs, and amends the record afterwards', async () => {
    const pipeline = await finished([tagging]);
    expect(pipeline.records[0]!._log_phase_due).toBe(true);
    expect(pipeline.amendments).toEqual([]);
    await pipeline.logPhase.stop();
    expect(pipeline.amendments).toMatchObject([
      {
        log_id: pipeline.records[0]!._id,
        add_tags: ['seen'],
        log_phase: true,
        plugin_runs: [{ plugin: 'tagging', phase: 'log', outcome: 'passed' }],
      },
    ]);
  });

  it('is claimed in the record for as long as its plugins may take, plus a minute', async () => {
    const plugins = [tagging, { ...tagging, name: 'second' }];
    const entries = [
      pluginEntry('tagging', { timeout_ms: 2_000 }),
      pluginEntry('second', { timeout_ms: 30_000 }),
    ];
    const pipeline = await finished(plugins, entries);
    expect(pipeline.records[0]!._log_phase_claim).toEqual({
      engine: 'this-engine',
      until: pipeline.clock.now() + 32_000 + 60_000,
    });
    await pipeline.logPhase.stop();
  });

  it('gets the same exchange object as the phases before', async () => {
    const seen: (object | undefined)[] = [];
    const watching: Plugin<unknown> = {
      name: 'watching',
      configSchema: {},
      request: ({ exchange }) => {
        seen.push(exchange);
        return { action: 'pass' };
      },
      log: ({ exchange }) => {
        seen.push(exchange);
        return {};
      },
    };
    for (let count = 0; count < 2; count++) await (await finished([watching])).logPhase.stop();
    const [first, firstLog, second, secondLog] = seen;
    expect(firstLog).toBe(first);
    expect(secondLog).toBe(second);
    expect(first).toBeInstanceOf(Object);
    expect(second).not.toBe(first);
  });

  it('is part of the log itself where its plugins are done at once', async () => {
    const knowing: Plugin<unknown> = {
      ...tagging,
      readsOnly: true,
      logAtOnce: () => ({ addTags: ['known'] }),
    };
    const pipeline = await finished([knowing]);
    await pipeline.logPhase.stop();
    expect(pipeline.records).toMatchObject([
      { tags: ['known'], plugin_runs: [{ plugin: 'tagging', phase: 'log', outcome: 'passed' }] },
    ]);
    expect(pipeline.records[0]).not.toHaveProperty('_log_phase_due');
    expect(pipeline.amendments).toEqual([]);
  });

  it.each<[string, Plugin<unknown>]>([
    ['knows nothing at once', { ...tagging, readsOnly: true, logAtOnce: () => undefined }],
    [
      'throws at once',
      {
        ...tagging,
        readsOnly: true,
        logAtOnce: () => {
          throw new Error('It does not work.');
        },
      },
    ],
    ['may change what it is given', { ...tagging, logAtOnce: () => ({ addTags: ['known'] }) }],
  ])('comes after the log for all plugins where one %s', async (_case, plugin) => {
    const knowing: Plugin<unknown> = { ...plugin, name: 'knowing', readsOnly: true, logAtOnce: () => ({}) };
    const entries = ['knowing', 'tagging'].map((name) => pluginEntry(name));
    const pipeline = await finished([knowing, plugin], entries);
    expect(pipeline.records).toMatchObject([{ plugin_runs: [], _log_phase_due: true }]);
    await pipeline.logPhase.stop();
    expect(pipeline.amendments).toMatchObject([
      { add_tags: ['seen'], plugin_runs: [{ plugin: 'knowing' }, { plugin: 'tagging' }] },
    ]);
  });

  it('leaves no mark where no plugin is due in it', async () => {
    const pipeline = await finished([]);
    expect(pipeline.records[0]).not.toHaveProperty('_log_phase_due');
  });

  it('runs for logs that another engine left behind', async () => {
    const pipeline = await finished([tagging]);
    const [left] = pipeline.records.splice(0) as [LogRecord];
    pipeline.amendments.length = 0;
    const asked: unknown[] = [];
    pipeline.clock.pass(5_000);
    pipeline.logPhase.watch({
      async *dueForLogPhase(engine) {
        asked.push(engine);
        yield left;
      },
    });
    await new Promise((resolve) => setImmediate(resolve));
    await pipeline.logPhase.stop();
    expect(asked).toEqual([{ id: 'this-engine', startedAt: new Date(pipeline.clock.now()) }]);
    expect(pipeline.amendments).toContainEqual(
      expect.objectContaining({ log_id: left._id, log_phase: true }),
    );
  });

  it('runs for only a few logs that were left behind at a time', async () => {
    let [atWork, most, seen] = [0, 0, 0];
    const slow: Plugin<unknown> = {
      ...tagging,
      log: async () => {
        most = Math.max(most, ++atWork);
        await new Promise((resolve) => setImmediate(resolve));
        atWork--;
        seen++;
        return {};
      },
    };
    const pipeline = await finished([slow]);
    await pipeline.logPhase.stop();
    const [left] = pipeline.records as [LogRecord];
    const next = new TestPipeline({ plugins: [slow] });
    seen = 0;
    next.logPhase.watch({
      async *dueForLogPhase() {
        for (let log = 0; log < 100; log++) yield { ...left, _id: `left-${log}` };
      },
    });
    await vi.waitFor(() => expect(seen).toBe(100), { timeout: 20_000 });
    await next.logPhase.stop();
    expect(most).toBeLessThanOrEqual(16);
    expect(next.amendments).toHaveLength(100);
  });

  it('begins for no log that was left behind once it is stopped', async () => {
    const pipeline = await finished([tagging]);
    const [left] = pipeline.records as [LogRecord];
    await pipeline.logPhase.stop();
    pipeline.amendments.length = 0;
    let found = () => {};
    const next = new TestPipeline({ plugins: [tagging] });
    next.logPhase.watch({
      async *dueForLogPhase() {
        await new Promise<void>((resolve) => {
          found = resolve;
        });
        yield left;
      },
    });
    await next.logPhase.stop();
    found();
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(next.amendments).toEqual([]);
  });
});
