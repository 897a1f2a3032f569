import { Agent, request } from 'node:http';

/** Sends `total` requests over `connections` and gives each one's time in milliseconds, and how many failed. */
export async function load({ url, headers, body, total, connections }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times = [];
  let failed = 0;
  let left = total;
  const client = async () => {
    while (left-- > 0) {
      const start = performance.now();
      const ok = await send(url, agent, headers, body).catch(() => false);
      if (ok) times.push(performance.now() - start);
      else failed++;
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, client));
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  times.sort((one, other) => one - other);
  return { seconds, failed, p50: times[times.length >> 1], p99: times[Math.floor(times.length * 0.99)] };
}

function send(url, agent, headers, body) {
  return new Promise((resolve, reject) => {
    const call = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode === 200));
      response.on('error', reject);
    });
    call.on('error', reject);
    call.end(body);
  });
}
