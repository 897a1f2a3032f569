import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { assertNever } from '../core/assert-never.js';
import { SluiceError } from '../core/errors.js';
import type { JsonValue } from '../core/json.js';
import { CompiledSchema, warmMainThread } from './compiled-schema.js';
import { DEADLINES, type Deadlines } from './deadlines.js';
import { findLimitProblem, type LimitProblem, tooLarge } from './schema/schema-limits.js';
import { createLanes, type Lanes } from './threads/lanes.js';
import { ranOutOfMemory } from './threads/living-thread.js';
import type { OutputValidation, PreparedSchema } from './validation.js';

export interface OutputValidationOptions {
  /**
   * The longest JSON text of a schema, in bytes of UTF-8. A function is called for each schema, because the limit may
   * change.
   */
  schemaBytes: number | (() => number);
  /** Whether a thread starts at once, so that the first schema does not wait for it. It takes 15 MiB until it is idle. */
  warm?: boolean;
  /** The deadlines, which can be raised for slow machines, such as those that run tests. */
  deadlines?: Deadlines;
}

const MAX_CACHED_SCHEMAS = 1_000;
const MAX_CACHED_BYTES = 256 * 1024 * 1024;
const REFUSAL_BYTES = 1_000;
/** How long a timeout is remembered. It is not long, because a busy machine can be the cause. */
const LATE_TTL_MS = 60_000;
/** A schema with at most this many characters certainly compiles fast. */
const SMALL_SCHEMA = 16_384;

type Compiled = CompiledSchema | Refused;

/** Refusals are cached too, so that the same invalid schema is not compiled again. */
interface Refused extends LimitProblem {
  /** Whether a later attempt may have another result. */
  passing: boolean;
}

/** Threads start when they are needed. */
export function createOutputValidation(options: OutputValidationOptions): OutputValidation {
  const lanes = createLanes();
  if (options.warm === true) {
    lanes.compile.warm();
    warmMainThread();
  }
  const { schemaBytes } = options;
  const limit = typeof schemaBytes === 'function' ? schemaBytes : () => schemaBytes;
  return new SchemaValidation(limit, lanes, options.deadlines ?? DEADLINES);
}

class SchemaValidation implements OutputValidation {
  readonly #schemaBytes: () => number;
  readonly #lanes: Lanes;
  readonly #deadlines: Deadlines;
  readonly #pending = new Map<string, Promise<Compiled>>();
  readonly #cache = new LRUCache<string, Compiled>({
    max: MAX_CACHED_SCHEMAS,
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: (entry) => (entry instanceof CompiledSchema ? entry.size : REFUSAL_BYTES),
  });

  constructor(schemaBytes: () => number, lanes: Lanes, deadlines: Deadlines) {
    this.#schemaBytes = schemaBytes;
    this.#lanes = lanes;
    this.#deadlines = deadlines;
  }

  async prepare(schema: JsonValue): Promise<PreparedSchema> {
    const text = this.#boundedText(schema);
    const key = createHash('sha256').update(text).digest('base64');
    const compiled = this.#cache.get(key) ?? (await this.#compileOnce(key, text));
    if (compiled instanceof CompiledSchema) return compiled;
    throw invalidSchema(compiled);
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#lanes).map((lane) => lane.close()));
  }

  #boundedText(schema: JsonValue): string {
    const schemaBytes = this.#schemaBytes();
    const problem = findLimitProblem(schema, schemaBytes);
    if (problem !== undefined) throw invalidSchema(problem);
    const text = JSON.stringify(schema);
    if (Buffer.byteLength(text) > schemaBytes) throw invalidSchema(tooLarge(schemaBytes));
    return text;
  }

  /** Requests with the same new schema wait for one compilation. */
  #compileOnce(key: string, text: string): Promise<Compiled> {
    const pending = this.#pending.get(key);
    if (pending !== undefined) return pending;
    const compiling = this.#compile(key, text)
      .then((compiled) => {
        const ttl = compiled instanceof CompiledSchema || !compiled.passing ? undefined : LATE_TTL_MS;
        this.#cache.set(key, compiled, { ttl });
        return compiled;
      })
      .finally(() => this.#pending.delete(key));
    this.#pending.set(key, compiling);
    return compiling;
  }

  async #compile(key: string, text: string): Promise<Compiled> {
    const lane = surelyFast(text) ? this.#lanes.compile : this.#lanes.compileSlowly;
    const { compileMs } = this.#deadlines;
    const outcome = await lane.run({ kind: 'compile', schemaText: text }, compileMs);
    switch (outcome.kind) {
      case 'replied': {
        const { reply } = outcome;
        if (reply.kind === 'compiled') {
          const { code, cost } = reply;
          const [lanes, deadlines] = [this.#lanes, this.#deadlines];
          const compiled = new CompiledSchema({ key, code, cost, lanes, deadlines });
          compiled.warm();
          return compiled;
        }
        if (reply.kind === 'refused') {
          return { passing: false, path: reply.path, message: reply.message };
        }
        throw new Error('A validation thread answered another job.');
      }
      case 'late':
        return refusedForNow(`takes longer than ${compileMs} ms to compile`);
      case 'full':
        throw new SluiceError(
          'overloaded',
          'Too many schemas are waiting to be compiled. Try again in a moment.',
        );
      case 'failed':
        if (!ranOutOfMemory(outcome.cause)) throw outcome.cause;
        return refusedForNow('takes too much memory to compile');
      default:
        return assertNever(outcome);
    }
  }
}

/** A short schema without large repetition counts cannot take long to compile. */
function surelyFast(text: string): boolean {
  return text.length <= SMALL_SCHEMA && !/\{\d*,?\d{3}/.test(text);
}

function refusedForNow(message: string): Refused {
  return { passing: true, path: '', message };
}

function invalidSchema({ path, message }: LimitProblem): SluiceError {
  const place = path === '' ? '' : ` at ${path}`;
  return new SluiceError('invalid_json_schema', `Invalid JSON Schema${place}: ${message}.`, {
    details: [{ path, message }],
  });
}
