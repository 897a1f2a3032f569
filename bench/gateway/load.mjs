import { randomBytes } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Sends `total` requests over `connections`, using the bodies in turn. Returns the times in milliseconds, how many
 * requests failed, and how the first one failed. An answer must have status 200 and contain `until`. `rate` is the
 * number of requests a second, 0 for as many as possible. `traced` is the share of requests whose `traceparent` says
 * that they are sampled; below 0 no request has that header. `fullSeconds` is the time until the last request began,
 * during which each connection had a request.
 */
export async function load({ url, key, bodies, until = '', total, connections, rate = 0, traced = -1 }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times = [];
  let failed = 0;
  let reason;
  let next = 0;
  const start = performance.now();
  let fullSeconds = 0;
  const client = async () => {
    for (let index = next++; index < total; index = next++) {
      let began = performance.now();
      if (index === total - 1) fullSeconds = (began - start) / 1000;
      if (rate > 0) {
        began = start + (index / rate) * 1000;
        await sleep(began - performance.now());
      }
      try {
        const headers = { authorization: `Bearer ${key}`, ...traceHeader(index, traced) };
        await send(url, agent, headers, bodies[index % bodies.length], until);
        times.push(performance.now() - began);
      } catch (error) {
        failed++;
        reason ??= error.message;
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  const seconds = (performance.now() - start) / 1000;
  agent.destroy();
  times.sort((one, other) => one - other);
  return {
    seconds,
    fullSeconds,
    failed,
    reason,
    p50: times[times.length >> 1],
    p99: times[Math.floor(times.length * 0.99)],
  };
}

/** The sampled requests are evenly spread. */
function traceHeader(index, share) {
  if (share < 0) return {};
  const flags = Math.floor((index + 1) * share) - Math.floor(index * share);
  const [trace, span] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceparent: `00-${trace}-${span}-0${flags}` };
}

function send(url, agent, more, body, until) {
  const headers = {
    ...more,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const call = request(url, { method: 'POST', agent, headers }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        const text = Buffer.concat(parts).toString();
        if (response.statusCode === 200 && text.includes(until)) resolve();
        else reject(new Error(`${response.statusCode}: ${text.slice(0, 300)}`));
      });
      response.on('error', reject);
    });
    call.on('error', reject);
    call.end(body);
  });
}
