/*
 * One client that asks plainly, at an even pace, in a process of its own: its times are those of a user, not of the
 * campaign. Prints the milliseconds of each answer as a line, negative where it was none; ends with its parent.
 */
const [url, key, body, paceMs] = process.argv.slice(2);
process.on('disconnect', () => process.exit());
for (;;) {
  const startedAt = performance.now();
  const ms = await ask().then(
    (status) => (status === 200 ? performance.now() - startedAt : -status),
    () => -1,
  );
  process.send?.(ms);
  await new Promise((resume) => setTimeout(resume, Number(paceMs)));
}

async function ask() {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(30_000) });
  await response.arrayBuffer();
  return response.status;
}
