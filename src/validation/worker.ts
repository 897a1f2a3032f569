import { parentPort, workerData } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { unlimitedBudget } from './budget.js';
import { checkOutput } from './check-output.js';
import { SchemaCompiler } from './compile-schema.js';
import { createValidatorLoader, type Validator } from './load-validator.js';
import { type Job, READY, type Reply, type WorkerSetup } from './worker-protocol.js';

/*
 * The thread that compiles schemas and makes the checks that may take long. It knows no deadline: whoever
 * started it ends it.
 */

const loadValidator = createValidatorLoader(unlimitedBudget);
const validators = new LRUCache<string, Validator>({ max: 200 });
const compiler = new SchemaCompiler();
if ((workerData as WorkerSetup).compiles) compiler.warm();

function run(job: Job): Reply {
  if (job.kind === 'compile') return compiler.compile(job.schemaText);
  let validator = validators.get(job.key);
  if (validator === undefined) {
    validator = loadValidator(job.code);
    validators.set(job.key, validator);
  }
  return { kind: 'checked', result: checkOutput(validator, job.text) };
}

if (parentPort === null) throw new Error('This module runs in a worker thread.');
const port = parentPort;
port.on('message', (job: Job) => port.postMessage(run(job)));
port.postMessage(READY);
