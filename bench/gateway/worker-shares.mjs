import { request } from 'node:http';

/* How requests are divided between an engine's workers. */

/** How many requests each worker has served since it started; empty where there is only one. */
export async function requestsServed({ adminUrl }) {
  const response = await fetch(`${adminUrl}/metrics`, {
    headers: { authorization: 'Bearer sk-admin-bench' },
  });
  const lines = (await response.text()).matchAll(/^sluice_requests_total\{.*?worker="(\d+)".*?\} (\d+)$/gm);
  const counts = [];
  for (const [, worker, count] of lines) counts[worker - 1] = (counts[worker - 1] ?? 0) + Number(count);
  return counts;
}

/** How many requests each worker has at this moment, by Envoy's counters. */
export function requestsInFlight(envoySocket) {
  return new Promise((resolve, reject) => {
    const call = request({ socketPath: envoySocket, path: '/clusters' }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        const lines = Buffer.concat(parts)
          .toString()
          .matchAll(/^engine::.*?engine-(\d+)\.sock::rq_active::(\d+)$/gm);
        const counts = [];
        for (const [, worker, count] of lines) counts[worker - 1] = Number(count);
        resolve(counts);
      });
    });
    call.on('error', reject);
    call.end();
  });
}
