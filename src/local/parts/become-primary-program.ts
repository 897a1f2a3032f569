import { readFileSync } from 'node:fs';
import { messageOf } from '../processes/start-error.js';
import { becomePrimary } from './become-primary.js';

/* A program: makes the mongod on the given port primary. The second parameter is the file with its password. */

const [port, keyPath] = process.argv.slice(2);
try {
  await becomePrimary(Number(port), keyPath === undefined ? undefined : readFileSync(keyPath, 'utf8').trim());
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
