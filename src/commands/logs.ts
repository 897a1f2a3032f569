import { existsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pino } from 'pino';
import { readEnvironment } from '../config/environment.js';
import { isOneSpool } from '../spool/folder-id.js';
import { startShipper } from '../spool/shipper.js';
import { openSpool } from '../spool/spool.js';
import { runSpoolCommand } from '../spool/spool-command.js';
import { openDestination } from './destination.js';

export interface ShipOptions {
  /** A folder with spools; by default that of the data directory. */
  spool?: string;
  config?: string;
  /** The number of seconds after which the command gives up. */
  timeout: number;
}

/**
 * What is wrong with a folder that should have spools in it. In another folder there is nothing to ship, which would look as if
 * all logs had been stored.
 */
function mistakeOf(folder: string): string | undefined {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (!isFolder) {
    return `${folder} is no folder. Give --spool the folder of the spools: spool/ in the data directory of the dead engine.`;
  }
  const inside = join(folder, 'spool');
  if (existsSync(inside))
    return `${folder} is a data directory. Its spools are in ${inside}: give --spool that folder.`;
  if (isOneSpool(folder)) {
    return `${folder} is the spool of one process. Give --spool the folder above it: ${dirname(folder)}.`;
  }
  return undefined;
}

/**
 * Ships the spools of engines that no longer run, such as those on a volume that a pod left behind. Returns 0 where
 * nothing is left. Spools of running engines are not touched.
 */
export async function shipLogs({ spool: folder, config, timeout }: ShipOptions): Promise<number> {
  const result = readEnvironment(process.env);
  if ('mistakes' in result) {
    console.error(result.mistakes.join('\n'));
    return 1;
  }
  const { environment } = result;
  const spools = resolve(folder ?? join(environment.dataFolder, 'spool'));
  const mistake = mistakeOf(spools);
  if (mistake !== undefined) {
    console.error(mistake);
    return 1;
  }
  const logger = pino({ name: 'sluice' }, pino.destination(2));
  const destination = await openDestination(environment, config, logger);
  if (destination === undefined) return 1;
  // The shipper needs a spool of its own, which stays empty here.
  const settings = { max_bytes: 1 << 20, sync_ms: 50, on_full: 'refuse' as const };
  const spool = await openSpool({ folder: spools, worker: `ship-${process.pid}`, settings, logger });
  try {
    const shipper = await startShipper({ spool, deliver: destination.deliver });
    const done = await shipper.drain(timeout * 1000);
    await shipper.close();
    const { written, deadLetters, lost } = spool.stats();
    console.log(JSON.stringify({ done, written, dead_letters: deadLetters, lost }));
  } finally {
    await spool.close();
    await rm(spool.own.path, { recursive: true, force: true });
    await destination.close();
  }
  const left = await runSpoolCommand({ folder: spools, action: 'list', write: () => {} });
  if (left > 0) console.log(`${left} entries are left; \`sluice spool list\` shows them.`);
  return Math.sign(left);
}
