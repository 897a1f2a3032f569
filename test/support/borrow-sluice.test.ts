import { afterEach, describe, expect, it } from 'vitest';
import { type Borrowed, borrowSluice } from './borrow-sluice.js';
import { gatewayConfig, KEYS, PROJECT } from './gateway.js';
import { missingPrograms } from './start-sluice.js';

const configOf = (name: string) =>
  JSON.stringify(
    gatewayConfig('http://127.0.0.1:1/v1', {
      endpoints: [{ name, models: [{ provider: 'fake', model: 'm' }] }],
    }),
  );

describe.skipIf(missingPrograms)('a borrowed system', () => {
  const open: Borrowed[] = [];
  const borrow = async (name: string): Promise<Borrowed> => {
    const borrowed = await borrowSluice(configOf(name));
    open.push(borrowed);
    return borrowed;
  };
  afterEach(async () => {
    for (const { giveBack } of open.splice(0)) await giveBack();
  });

  const endpointsOf = async ({ sluice }: Borrowed) => {
    const response = await fetch(`${sluice.gatewayUrl}/${PROJECT}/openai/v1/models`, {
      headers: { authorization: `Bearer ${KEYS.all}` },
    });
    return ((await response.json()) as { data: { id: string }[] }).data.map(({ id }) => id);
  };

  it('is the one that was returned, with the configuration of the next borrower only', async () => {
    const first = await borrow('of-the-first');
    expect(await endpointsOf(first)).toContain('of-the-first');
    await first.giveBack();
    const second = await borrow('of-the-second');
    expect(second.sluice).toBe(first.sluice);
    expect(await endpointsOf(second)).toEqual(['support', 'chain', 'of-the-second']);
  });
});
