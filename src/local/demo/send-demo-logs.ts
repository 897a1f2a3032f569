import { type HttpAnswer, httpRequest } from '../processes/http-request.js';
import { DEMO_KEY, DEMO_PROJECT } from '../tour.js';
import { DEMO_MARK, DEMO_TAG, type DemoRequest, demoRequests } from './requests.js';

export interface DemoAddresses {
  gatewayUrl: string;
  adminUrl: string;
}

const AT_ONCE = 4;
const HEADERS = { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json' };

/**
 * Sends the demo's requests through the gateway, so that the dashboard has data. Resolves with their number, which is
 * 0 where an earlier start has sent them.
 */
export async function sendDemoLogs(addresses: DemoAddresses, signal: AbortSignal): Promise<number> {
  if (await areThere(addresses, signal)) return 0;
  const waiting = demoRequests();
  const count = waiting.length;
  const work = async () => {
    for (let request = waiting.shift(); request !== undefined; request = waiting.shift()) {
      await send(addresses, request, signal);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return count;
}

async function areThere({ adminUrl }: DemoAddresses, signal: AbortSignal): Promise<boolean> {
  const url = `${adminUrl}/${DEMO_PROJECT}/logs?limit=1&tags_any=${encodeURIComponent(DEMO_TAG)}`;
  const { status, text } = await httpRequest(url, { headers: HEADERS, signal });
  if (status !== 200) throw new Error(`the logs could not be read: ${status} ${text}`);
  const { data } = JSON.parse(text) as { data: unknown[] };
  return data.length > 0;
}

async function send(addresses: DemoAddresses, request: DemoRequest, signal: AbortSignal): Promise<void> {
  const { gatewayUrl } = addresses;
  const { headers } = await post(`${gatewayUrl}/${DEMO_PROJECT}/${request.path}`, request.body, signal);
  const id = headers['x-inference-log-id'];
  if (request.feedback === undefined || id === undefined) return;
  const signalled = { ...request.feedback, signal_name: 'demo', metadata: DEMO_MARK };
  await post(`${gatewayUrl}/${DEMO_PROJECT}/feedback/${id}`, signalled, signal);
}

function post(url: string, body: object, signal: AbortSignal): Promise<HttpAnswer> {
  return httpRequest(url, { method: 'POST', headers: HEADERS, body: JSON.stringify(body), signal });
}
