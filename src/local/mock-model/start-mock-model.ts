import { once } from 'node:events';
import { createMockModel } from './server.js';

const PIECE_DELAY_MS = 30;

/**
 * Starts the mock model on the loopback address inside this process, because a process of its own would take about 50
 * MB. Returns a function that stops it.
 */
export async function startMockModel(port: number): Promise<() => Promise<void>> {
  const server = createMockModel({ pieceDelayMs: PIECE_DELAY_MS });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
}
