import { createMockModel } from './server.js';

/** `node main.js PORT`: the mock model on the loopback address. SIGTERM lets answers finish. */
const PIECE_DELAY_MS = 30;

const server = createMockModel({ pieceDelayMs: PIECE_DELAY_MS });
server.listen(Number(process.argv[2]), '127.0.0.1');
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    server.close();
    server.closeIdleConnections();
  });
}
