import { parentPort, workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { systemThreadId } from '../threads/thread-clock.js';
import { checkOutput } from './check-output.js';
import { unlimitedBudget } from './pattern/budget.js';
import type { SchemaCompiler } from './schema/compile-schema.js';
import { createValidatorLoader, type Validator } from './schema/load-validator.js';
import type { Job, Ready, Reply, TextPiece, ThreadSetup } from './thread-protocol.js';

/*
 * The code of a thread that compiles schemas and runs validations that may take long. It knows no deadline: whoever started
 * it terminates it.
 */

const setup = workerData as ThreadSetup;
const loadValidator = createValidatorLoader(unlimitedBudget);
const validators = new LRUCache<string, Validator>({ max: 200 });
/** ajv is loaded only where it is needed, so that other terminated threads are replaced quickly. */
const compiler = setup.compiles ? await createCompiler() : undefined;
let pieces: string[] = [];

async function createCompiler(): Promise<SchemaCompiler> {
  const { SchemaCompiler } = await import('./schema/compile-schema.js');
  const created = new SchemaCompiler();
  created.warm();
  return created;
}

function run(job: Job): Reply {
  if (job.kind === 'compile') {
    if (compiler === undefined)
      throw new Error('This thread only checks outputs; it cannot compile schemas.');
    return compiler.compile(job.schemaText);
  }
  let validator = validators.get(job.key);
  if (validator === undefined) {
    validator = loadValidator(job.code);
    validators.set(job.key, validator);
  }
  const text = pieces.join('') + job.text;
  pieces = [];
  return { kind: 'checked', result: checkOutput(validator, text) };
}

if (parentPort === null) throw new Error('This module runs in a worker thread.');
const port = parentPort;
port.on('message', (message: Job | TextPiece) => {
  if (message.kind === 'piece') pieces.push(message.text);
  else port.postMessage(run(message));
});
port.postMessage({ kind: 'ready', threadId: systemThreadId() } satisfies Ready);
