import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runHere } from '../../test/support/run-here.js';
import { temporaryFolder } from '../../test/support/temporary-folder.js';
import { shipLogs } from './logs.js';

/** In each of these folders there would be nothing to ship, and the command would say that all is done. */
describe('sluice logs ship refuses', () => {
  let data: string;
  beforeEach(async () => {
    data = await temporaryFolder();
    await mkdir(join(data, 'spool/engine'), { recursive: true });
    await writeFile(join(data, 'spool/engine/id'), 'a');
    await writeFile(join(data, 'file'), '');
  });

  it.each([
    ['a folder that does not exist', 'none', 'is no folder. Give --spool the folder of the spools'],
    ['a file', 'file', 'is no folder'],
    ['a data directory', '.', 'is a data directory. Its spools are in'],
    [
      'the spool of one process',
      'spool/engine',
      'is the spool of one process. Give --spool the folder above it',
    ],
  ])('%s, and says which folder it needs', async (_what, name, message) => {
    const { code, output } = await runHere(() => shipLogs({ spool: join(data, name), timeout: 1 }));
    expect([code, output]).toEqual([1, expect.stringContaining(message)]);
  });
});
