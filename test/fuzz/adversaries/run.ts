import { HOSTILE_CLIENTS, type Target } from './hostile-clients.js';
import { serveModels } from './hostile-models.js';

/*
 * One adversary in a process of its own, so that its work is not that of the test: a client by its name, clients of
 * hostile models, or the models themselves, which tell their port; the good ones have another process. Ends with its parent.
 */
const [kind, name = '', target = ''] = process.argv.slice(2);
process.on('disconnect', () => process.exit());
const readers = 4;

if (kind === 'models') process.send?.(await serveModels(name));
else if (kind === 'client') await HOSTILE_CLIENTS[name]!(JSON.parse(target) as Target);
else await Promise.all(Array.from({ length: readers }, () => ask(JSON.parse(target) as Target)));

/** Reads what a hostile model answers, and asks again. */
async function ask({ gatewayUrl, path, key, endpoint: model }: Target): Promise<void> {
  const body = JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'Go on.' }] });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  for (;;) {
    const response = await fetch(gatewayUrl + path, { method: 'POST', headers, body }).catch(() => undefined);
    const reader = response?.body?.getReader();
    while ((await reader?.read().catch(() => undefined))?.done === false);
    await new Promise((resume) => setTimeout(resume, 20));
  }
}
