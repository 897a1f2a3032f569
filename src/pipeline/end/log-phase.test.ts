import { describe, expect, it } from 'vitest';
import { requestBody, TestPipeline } from '../../../test/support/pipeline.js';
import type { LogRecord } from '../../core/log-record.js';
import type { Plugin } from '../../plugins/plugin.js';
import { receive } from '../request/receive.js';
import { finish } from './finish.js';

const tagging: Plugin<unknown> = {
  name: 'tagging',
  configSchema: {},
  log: () => ({ addTags: ['seen'] }),
};

async function finished(plugins: Plugin<unknown>[]): Promise<TestPipeline> {
  const pipeline = new TestPipeline({ plugins });
  const exchange = pipeline.exchange();
  await receive(exchange, requestBody(), pipeline.services);
  await finish(exchange, { status: 'success', httpStatus: 200, response: null }, pipeline.services);
  return pipeline;
}

describe('the LOG phase', () => {
  it('is marked on the record before it runs, and amends it once it has', async () => {
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

  it('leaves no mark where no plugin is due in it', async () => {
    const pipeline = await finished([]);
    expect(pipeline.records[0]).not.toHaveProperty('_log_phase_due');
  });

  it('runs for logs that an engine left behind', async () => {
    const pipeline = await finished([tagging]);
    const [left] = pipeline.records.splice(0) as [LogRecord];
    pipeline.amendments.length = 0;
    const asked: Date[] = [];
    pipeline.logPhase.watch({
      dueForLogPhase: async (before) => {
        asked.push(before);
        return [left];
      },
    });
    await new Promise((resolve) => setImmediate(resolve));
    await pipeline.logPhase.stop();
    expect(asked).toHaveLength(1);
    expect(pipeline.amendments).toContainEqual(
      expect.objectContaining({ log_id: left._id, log_phase: true }),
    );
  });
});
