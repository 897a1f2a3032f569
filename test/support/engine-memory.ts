import { WebSocket } from 'undici';
import { waitFor } from '../../src/local/processes/wait.js';

/** The environment of an engine whose memory can be read on this port. */
export function inspectable(port: number): NodeJS.ProcessEnv {
  return { NODE_OPTIONS: `--inspect=127.0.0.1:${port}` };
}

/** The bytes of JavaScript objects and buffers that an engine holds after its garbage was collected. */
export async function memoryAfterCollection(port: number): Promise<number> {
  const socket = await connect(port);
  try {
    // The first collection runs finalizers, and the second one frees what they released.
    for (let round = 0; round < 2; round++) await call(socket, 'HeapProfiler.collectGarbage');
    const { result } = (await call(socket, 'Runtime.evaluate', {
      expression: 'JSON.stringify(process.memoryUsage())',
    })) as { result: { value: string } };
    const { heapUsed, external } = JSON.parse(result.value) as NodeJS.MemoryUsage;
    return heapUsed + external;
  } finally {
    socket.close();
  }
}

async function connect(port: number): Promise<WebSocket> {
  const url = await waitFor(
    'the engine can be inspected',
    async () => {
      const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
        webSocketDebuggerUrl: string;
      }[];
      return targets[0]?.webSocketDebuggerUrl;
    },
    { timeoutMs: 10_000 },
  );
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve);
    socket.addEventListener('error', reject);
  });
  return socket;
}

let lastId = 0;

function call(socket: WebSocket, method: string, params: object = {}): Promise<unknown> {
  const id = ++lastId;
  return new Promise((resolve, reject) => {
    const onMessage = ({ data }: { data: unknown }) => {
      const answer = JSON.parse(String(data)) as {
        id?: number;
        result?: unknown;
        error?: { message: string };
      };
      if (answer.id !== id) return;
      socket.removeEventListener('message', onMessage);
      if (answer.error === undefined) resolve(answer.result);
      else reject(new Error(`${method}: ${answer.error.message}`));
    };
    socket.addEventListener('message', onMessage);
    socket.send(JSON.stringify({ id, method, params }));
  });
}
