import type { JsonObject } from '../../core/json.js';
import { safeHeaders } from '../helpers/safe-headers.js';
import { StandIns } from '../stand-ins/stand-ins.js';
import { frozenCopy } from './prepare/frozen-copy.js';
import type { HostContext } from './prepare/prepared-plugin.js';

/** All phases of an exchange show the same values, so each is created once. */
const metadataFor = onceEach<JsonObject, JsonObject>(frozenCopy);
const headersFor = onceEach(safeHeaders);

/** What plugins see of an exchange. Its parts are created when they are first read. */
export class ShownContext implements HostContext {
  readonly requestId: string;
  readonly endpoint: string;
  readonly exchange: object | undefined;
  readonly standIns: StandIns;
  readonly #context: HostContext;

  constructor(context: HostContext) {
    this.requestId = context.requestId;
    this.endpoint = context.endpoint;
    this.exchange = context.exchange;
    this.standIns = context.standIns ?? new StandIns();
    this.#context = context;
  }

  get metadata(): JsonObject {
    return metadataFor(this.#context.metadata);
  }

  get headers(): Readonly<Record<string, string>> {
    return headersFor(this.#context.headers);
  }

  get signal(): AbortSignal {
    return this.#context.signal;
  }

  get disconnected(): boolean {
    return this.#context.disconnected ?? this.#context.signal.aborted;
  }
}

/** Remembers the result for each object as long as the object lives. */
function onceEach<From extends object, Made>(make: (from: From) => Made): (from: From) => Made {
  const made = new WeakMap<From, Made>();
  return (from) => {
    let known = made.get(from);
    if (known === undefined) {
      known = make(from);
      made.set(from, known);
    }
    return known;
  };
}
