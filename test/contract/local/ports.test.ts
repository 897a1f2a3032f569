import { createServer } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { acceptsConnections, portProblem, reservePort } from '../../../src/local/ports.js';

describe('reserved ports', () => {
  it('are given out once', async () => {
    const reservations = await Promise.all(Array.from({ length: 20 }, () => reservePort()));
    onTestFinished(async () => {
      for (const reservation of reservations) await reservation.release();
    });
    expect(new Set(reservations.map(({ port }) => port)).size).toBe(20);
  });

  it('are the preferred ones, as long as they are free', async () => {
    const first = await reservePort();
    const second = await reservePort(first.port);
    onTestFinished(() => second.release());
    expect(second.port).not.toBe(first.port);
    await first.release();
    const third = await reservePort(first.port);
    expect(third.port).toBe(first.port);
    await third.release();
  });

  it('stay closed until their owner opens them', async () => {
    const { port, release } = await reservePort();
    onTestFinished(release);
    expect(await portProblem(port)).toBeUndefined();
    expect(await acceptsConnections(port)).toBe(false);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.close();
    });
    expect(await portProblem(port)).toBe('it is in use by another program');
    expect(await acceptsConnections(port)).toBe(true);
  });
});
