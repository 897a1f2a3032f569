import { type IncomingHttpHeaders, request } from 'node:http';

export interface HttpRequest {
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/**
 * One HTTP request and its whole answer. The launcher does not use `fetch`, because with that Node loads a second HTTP
 * client, which takes some 6 MiB more for as long as the launcher runs.
 */
export function httpRequest(url: string, { body, ...options }: HttpRequest = {}): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const call = request(url, options, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
      });
    });
    call.on('error', reject);
    call.end(body);
  });
}
