import type {
  ProviderCall,
  ProviderClient,
  ProviderEvent,
  ProviderRequest,
} from '../../src/pipeline/exchange/ports.js';

/** A call that the engine sends to a provider. The test answers it. */
class ScriptedCall implements ProviderCall {
  takenBytes = 0;
  cancelled = false;

  constructor(
    readonly request: ProviderRequest,
    /** Sends the engine an event as a provider would. */
    readonly say: (event: ProviderEvent) => void,
  ) {}

  taken(bytes: number): void {
    this.takenBytes += bytes;
  }

  cancel(): void {
    this.cancelled = true;
  }
}

export class ScriptedProviders implements ProviderClient {
  readonly calls: ScriptedCall[] = [];

  ask(request: ProviderRequest, on: (event: ProviderEvent) => void): ProviderCall {
    const call = new ScriptedCall(request, on);
    this.calls.push(call);
    return call;
  }
}
