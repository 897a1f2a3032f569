import { request } from 'node:http';

export interface PlainResponse {
  status: number;
  body: string;
}

/** The default limit for a whole call. */
const TIMEOUT_MS = 5_000;

/** Sends one request over a Unix socket, such as that of Envoy's administration interface. */
export function requestOverSocket(
  socketPath: string,
  method: 'GET' | 'POST',
  path: string,
  timeoutMs = TIMEOUT_MS,
): Promise<PlainResponse> {
  return new Promise((resolve, reject) => {
    const options = { socketPath, method, path, agent: false, signal: AbortSignal.timeout(timeoutMs) };
    const call = request(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') });
      });
    });
    call.on('error', reject);
    call.end();
  });
}
