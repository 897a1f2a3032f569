import type { NeutralRequest } from '../../core/answer.js';
import type { SluiceError } from '../../core/errors.js';
import type { JsonDocument, JsonObject, JsonValue } from '../../core/json.js';
import type { Message } from '../../core/message.js';
import type { Endpoint, ModelChoice, Provider } from '../../core/settings.js';
import type { Correction, RequestView } from '../../dialects/dialect.js';
import type { PreparedPlugin } from '../../plugins/runtime/host.js';
import type { OutputContract } from '../../validation/output-contract.js';

/*
 * The parts of an exchange, in the order in which they are made. Those of the request are complete and do not change
 * once they are made; a later part stands beside the earlier ones. `ChainState` and `ReleasedAnswer` are there from the
 * start and filled by the attempts and the answer.
 */

/** What the client sent. Made once its body was read. */
export interface ReceivedRequest {
  readonly document: JsonDocument;
  readonly view: RequestView;
  /** Empty where the client sent none, or sent metadata that cannot be kept. */
  readonly metadata: JsonObject;
  readonly tags: string[];
}

/** The endpoint that the request names, and the plugins that are due in this exchange. */
export interface TargetEndpoint {
  readonly endpoint: Endpoint;
  /** Their results count. */
  readonly plugins: readonly PreparedPlugin[];
  /** Their results are only logged. */
  readonly observers: readonly PreparedPlugin[];
}

/** What the request plugins made of the request. Absent where none was due. */
export interface GuardedRequest {
  /** What they were shown. */
  readonly before: JsonDocument;
  readonly document: JsonDocument;
  readonly view: RequestView;
  /** The messages of the document; where a plugin rejected the request, as the plugins left them. */
  readonly messages: Message[];
}

/** How the request goes on. Made last: an exchange without it was never forwarded. */
export interface RequestPlan {
  /** The models to try, in order. */
  readonly models: readonly ModelChoice[];
  /** For models that were drawn by weight: the probability with which each got its position. */
  readonly propensities?: ReadonlyMap<ModelChoice, number>;
  /** The model that was drawn first, even where it cannot serve now; undefined where nothing was drawn. */
  readonly first?: ModelChoice;
  /** What the answer must satisfy, where that is checked. */
  readonly contract?: OutputContract;
}

/** What the attempts of one exchange share. */
export interface ChainState {
  /**
   * Who makes the tries: Envoy, straight to the one model (`single`) or through the attempt filter, which judges them
   * (`chain`); or the engine itself, where the Envoy in front has no chain (`engine`).
   */
  route: 'single' | 'chain' | 'engine';
  /** Headers that the last attempt set for its provider. */
  providerHeaders: string[];
  /** The providers as they were when the request went on. The directory may change them before the last attempt. */
  readonly providers: Map<string, Provider>;
  /** The request in neutral form. Made when a provider of another dialect needs it. */
  neutral?: NeutralRequest;
  /** Why the output of the last attempt was invalid, for an attempt that explains it to its model. */
  correction?: Correction;
}

/** What the cache of the endpoint had for an exchange. */
export type ExchangeCache =
  /** Its answer may be neither kept nor found. */
  | { state: 'bypass' }
  /** `from`: the log of the exchange that asked a model. */
  | { state: 'hit'; from: string }
  /** `over` lets requests continue that wait for the same answer. */
  | { state: 'miss'; key: string; over: () => void };

/** What is known of the answer that the client gets. */
export interface ReleasedAnswer {
  /** Milliseconds from the start of the exchange to the first piece of output. */
  firstTokenMs?: number;
  /** Why the answer is invalid, where the endpoint releases it all the same. */
  invalid?: SluiceError;
  /** An answer that a response plugin rejected, in the two forms that a log may keep. */
  rejected?: { masked: JsonValue; asCame: JsonValue };
}
