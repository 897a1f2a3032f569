import { join, resolve } from 'node:path';
import { pino } from 'pino';
import { readEnvironment } from '../config/environment.js';
import { runSpoolCommand } from '../spool/spool-command.js';
import { openDestination } from './destination.js';

/**
 * `list` shows the logs that are not in MongoDB yet; `replay` tries its dead letters again. Returns 1 where some are
 * left.
 */
export async function spool(action: 'list' | 'replay', { config }: { config?: string }): Promise<number> {
  const result = readEnvironment(process.env);
  if ('mistakes' in result) {
    console.error(result.mistakes.join('\n'));
    return 1;
  }
  const { environment } = result;
  const spools = join(resolve(environment.dataFolder), 'spool');
  const write = (line: string) => console.log(line);
  if (action === 'list') return Math.sign(await runSpoolCommand({ folder: spools, write, action }));
  const destination = await openDestination(
    environment,
    config,
    pino({ name: 'sluice' }, pino.destination(2)),
  );
  if (destination === undefined) return 1;
  try {
    return Math.sign(await runSpoolCommand({ folder: spools, write, action, deliver: destination.deliver }));
  } finally {
    await destination.close();
  }
}
