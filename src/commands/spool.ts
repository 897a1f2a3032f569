import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { mongodbUriOf } from '../config/addresses.js';
import { readEnvironment } from '../config/environment.js';
import { runSpoolCommand } from '../spool/spool-command.js';
import { connectStore } from '../store/store.js';

/** `list` shows what has not landed in MongoDB, `replay` offers its dead letters again; 1 where something is left. */
export async function spool(action: string): Promise<number> {
  const result = readEnvironment(process.env);
  if ('mistakes' in result) {
    console.error(result.mistakes.join('\n'));
    return 1;
  }
  const { environment } = result;
  const directory = join(resolve(environment.dataDirectory), 'spool');
  const write = (line: string) => console.log(line);
  if (action === 'list') return Math.sign(await runSpoolCommand({ directory, write, action }));
  if (action !== 'replay') {
    console.error(`Unknown action "${action}": there are list and replay.`);
    return 1;
  }
  const uri = mongodbUriOf(environment);
  const store = connectStore({ uri, logger: pino({ name: 'sluice' }, pino.destination(2)) });
  try {
    return Math.sign(await runSpoolCommand({ directory, write, action, store: store.logs }));
  } finally {
    await store.close();
  }
}
