import { expect, it } from 'vitest';
import { requestBody, TestPipeline } from '../../../test/support/pipeline.js';
import { receive } from '../request/receive.js';
import { skipLaterPhases } from './skip-later-phases.js';

it('names the phases that will not come, each plugin once', async () => {
  const plugin = {
    name: 'shouting',
    configSchema: {},
    request: () => ({ action: 'pass' as const }),
    response: () => ({ action: 'pass' as const }),
  };
  const pipeline = new TestPipeline({ plugins: [plugin] });
  const exchange = pipeline.exchange();
  await receive(exchange, requestBody({}), pipeline.services);
  skipLaterPhases(exchange, 'the model broke off');
  skipLaterPhases(exchange, 'again');
  expect(exchange.pluginRuns.map(({ phase, outcome, reason }) => [phase, outcome, reason])).toEqual([
    ['request', 'passed', undefined],
    ['response', 'skipped', 'the model broke off'],
  ]);
});
