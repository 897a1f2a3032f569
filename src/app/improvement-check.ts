import { isJsonObject, type JsonObject } from '../core/json.js';
import type { LogRecord } from '../core/log-record.js';
import { runSteps } from '../core/pacing/steps.js';
import type { RequestView } from '../dialects/dialect.js';
import { dialectById } from '../dialects/index.js';
import type { CheckImprovement } from '../logs/improvement.js';
import { createOutputValidation } from '../validation/create-output-validation.js';
import { type OutputContract, prepareContract } from '../validation/output-contract.js';
import type { OutputValidation } from '../validation/validation.js';

/** Checks improvements as the gateway checks outputs. Its threads start with the first schema. */
export class ImprovementCheck {
  #validation?: OutputValidation;

  constructor(private readonly schemaBytes: () => number) {}

  readonly check: CheckImprovement = async (log, improvement) => {
    const view = await readRequest(log);
    if (view?.outputSchema === undefined && view?.outputJson === undefined) return undefined;
    const contract = await this.#contractOf(view);
    const result = await contract?.output?.check(improvement);
    if (result === undefined || result.valid) return undefined;
    return { path: result.path, message: result.message };
  };

  async close(): Promise<void> {
    await this.#validation?.close();
  }

  /** The contract of a request; undefined for a schema that the gateway refuses, because such a schema was never applied. */
  async #contractOf({ outputSchema, outputJson }: RequestView): Promise<OutputContract | undefined> {
    this.#validation ??= createOutputValidation({ schemaBytes: this.schemaBytes });
    return prepareContract(this.#validation, { outputSchema, outputJson }).catch(() => undefined);
  }
}

async function readRequest({
  api,
  request,
}: Pick<LogRecord, 'api' | 'request'>): Promise<RequestView | undefined> {
  if (!isJsonObject(request)) return undefined;
  try {
    const document = { text: JSON.stringify(request), value: request as JsonObject };
    return await runSteps(dialectById(api).readRequest(document));
  } catch {
    // A stored body that is no longer a valid request of its API has no schema.
    return undefined;
  }
}
