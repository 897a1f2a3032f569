import { describe, expect, it } from 'vitest';
import type { Provider } from '../../core/settings.js';
import { ProviderGates, type Release } from './provider-gates.js';

const provider = (more: Partial<Provider> = {}): Provider => ({
  name: 'local',
  api: 'openai',
  base_url: 'http://h/v1',
  headers: {},
  forward_headers: [],
  responses: false,
  prices: {},
  ...more,
});
const never = () => new AbortController().signal;
const now = (entered: ReturnType<ProviderGates['enter']>) => entered!.place as Release | undefined;
const later = (entered: ReturnType<ProviderGates['enter']>) => entered!.place as Promise<Release | undefined>;

describe('a provider with a limit of requests at a time', () => {
  it('gets that many requests at a time, and another one when one has ended', () => {
    const gates = new ProviderGates();
    const bounded = provider({ max_concurrent: 1 });
    const first = now(gates.enter(bounded, never))!;
    expect(now(gates.enter(bounded, never))).toBeUndefined();
    first();
    first();
    const second = now(gates.enter(bounded, never));
    expect(second).toBeDefined();
    expect(now(gates.enter(bounded, never))).toBeUndefined();
  });

  it('makes requests with enough time wait in order, and no more than fit its queue', async () => {
    const gates = new ProviderGates();
    const bounded = provider({ max_concurrent: 1, queue_ms: 60_000 });
    const first = now(gates.enter(bounded, never))!;
    const waiting = Array.from({ length: 4 }, () => later(gates.enter(bounded, never)));
    expect(now(gates.enter(bounded, never))).toBeUndefined();
    first();
    for (const one of waiting) (await one)!();
    expect(now(gates.enter(bounded, never))).toBeDefined();
  });

  it('keeps no place for a request that waited too long, or whose client has left', async () => {
    const gates = new ProviderGates();
    const bounded = provider({ max_concurrent: 1, queue_ms: 5 });
    const first = now(gates.enter(bounded, never))!;
    expect(await later(gates.enter(bounded, never))).toBeUndefined();
    const client = new AbortController();
    const gone = later(gates.enter({ ...bounded, queue_ms: 60_000 }, () => client.signal));
    client.abort();
    expect(await gone).toBeUndefined();
    const patient = { ...bounded, queue_ms: 60_000 };
    expect(await later(gates.enter(patient, never, () => 5))).toBeUndefined();
    expect(now(gates.enter(patient, never, () => 0))).toBeUndefined();
    first();
    expect(now(gates.enter(bounded, never))).toBeDefined();
  });

  it('has no limit without `max_concurrent`', () => {
    expect(new ProviderGates().enter(provider(), never)).toBeUndefined();
  });
});
