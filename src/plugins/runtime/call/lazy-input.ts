import type { JsonObject } from '../../../core/json.js';
import type { PluginContext } from '../../contract/plugin.js';
import type { KnownStandIns } from '../../stand-ins/stand-ins.js';
import type { HostContext } from '../prepare/prepared-plugin.js';

/**
 * The input of a plugin besides its content. Most guards only read texts, so the rest is created when it is first
 * read.
 */
export class LazyInput implements PluginContext<unknown> {
  readonly requestId: string;
  readonly endpoint: string;
  readonly exchange: object | undefined;
  readonly standIns: KnownStandIns | undefined;
  readonly #context: HostContext;

  constructor(
    readonly config: unknown,
    readonly timeoutMs: number,
    context: HostContext,
  ) {
    this.requestId = context.requestId;
    this.endpoint = context.endpoint;
    this.exchange = context.exchange;
    this.standIns = context.standIns;
    this.#context = context;
  }

  get metadata(): JsonObject {
    return this.#context.metadata;
  }

  get headers(): Readonly<Record<string, string>> {
    return this.#context.headers;
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }
}
