import type {
  ProviderCall,
  ProviderClient,
  ProviderEvent,
  ProviderRequest,
} from '../../src/pipeline/exchange/ports.js';

/** A call of the engine to a provider, which a test answers. */
class ScriptedCall implements ProviderCall {
  takenBytes = 0;
  cancelled = false;

  constructor(
    readonly request: ProviderRequest,
    /** As the provider. */
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
