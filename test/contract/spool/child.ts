import { openSpool } from '../../../src/spool/spool.js';
import { logRecord } from '../../support/log-record.js';
import { silentLogger } from '../../support/silent-logger.js';

/*
 * Appends logs to a spool until it is killed, several at a time, and prints the id and the size of each text once its
 * append resolved. Arguments: directory, sync_ms.
 */
const [directory, syncMs] = process.argv.slice(2);
const settings = { max_bytes: 1 << 30, sync_ms: Number(syncMs), on_full: 'refuse' as const };
const spool = await openSpool({ folder: directory!, worker: 'child', settings, logger: silentLogger });

async function appendForEver(start: number): Promise<never> {
  for (let number = start; ; number += 7) {
    const size = (number * 37) % 5000;
    const record = logRecord({ request: 'x'.repeat(size) });
    await spool.append(record);
    process.stdout.write(`${record._id} ${size}\n`);
  }
}

await Promise.all([1, 2, 3, 4, 5].map(appendForEver));
