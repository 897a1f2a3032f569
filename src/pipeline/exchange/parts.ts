import type { NeutralRequest } from '../../core/answer.js';
import type { SluiceError } from '../../core/errors.js';
import type { JsonDocument, JsonObject, JsonValue } from '../../core/json.js';
import type { Message } from '../../core/message.js';
import type { Endpoint, ModelChoice, Provider } from '../../core/settings.js';
import type { Correction, RequestView } from '../../dialects/dialect.js';
import type { PreparedPlugin } from '../../plugins/runtime/host.js';
import type { OutputContract } from '../../validation/output-contract.js';

/*
 * The parts of an exchange in the order in which they are created. Those of the request do not change once they are
 * created; later parts are added beside them. `ChainState` and `ReleasedAnswer` exist from the start and are filled
 * by the attempts and the answer.
 */

/** What the client sent. Created when its body was read. */
export interface ReceivedRequest {
  readonly document: JsonDocument;
  readonly view: RequestView;
  /** The metadata. Empty where the client sent none, or metadata that cannot be stored. */
  readonly metadata: JsonObject;
  readonly tags: string[];
}

/** The endpoint that the request names, and the plugins that must run in this exchange. */
export interface TargetEndpoint {
  readonly endpoint: Endpoint;
  /** Plugins whose results count. */
  readonly plugins: readonly PreparedPlugin[];
  /** Plugins whose results are only logged. */
  readonly observers: readonly PreparedPlugin[];
}

/** What the request plugins made of the request. Absent where none had to run. */
export interface GuardedRequest {
  /** The document that the plugins were shown. */
  readonly before: JsonDocument;
  readonly document: JsonDocument;
  readonly view: RequestView;
  /** The messages of the document; where a plugin rejected the request, as the plugins left them. */
  readonly messages: Message[];
}

/** How the request is sent on. Created last: an exchange without it was never forwarded. */
export interface RequestPlan {
  /** The models to try, in order. */
  readonly models: readonly ModelChoice[];
  /** For models that were drawn by weight, the probability with which each got its position. */
  readonly propensities?: ReadonlyMap<ModelChoice, number>;
  /** The model that was drawn first, even where it cannot serve now; undefined where nothing was drawn. */
  readonly first?: ModelChoice;
  /** What the answer must satisfy, where that is checked. */
  readonly contract?: OutputContract;
}

/** What the attempts of one exchange have in common. */
export interface ChainState {
  /**
   * Who makes the attempts: Envoy, directly to the only model (`single`) or through the attempt filter, which judges
   * them (`chain`); or the engine itself, where Envoy has no chains (`engine`).
   */
  route: 'single' | 'chain' | 'engine';
  /** Headers that the last attempt set for its provider. */
  providerHeaders: string[];
  /** The providers at the time when the request was sent on. The directory may change them before the last attempt. */
  readonly providers: Map<string, Provider>;
  /** The request in neutral form. Created when a provider of another dialect needs it. */
  neutral?: NeutralRequest;
  /** Why the output of the last attempt was invalid, for an attempt that tells its model. */
  correction?: Correction;
}

/** The result of looking into the endpoint's cache. */
export type ExchangeCache =
  /** The answer to this request may neither be taken from the cache nor be kept in it. */
  | { state: 'bypass' }
  /** An answer was found. `from` is the log of the exchange that asked a model. */
  | { state: 'hit'; from: string }
  /** No answer was found. `over` lets requests continue that wait for the same answer. */
  | { state: 'miss'; key: string; over: () => void };

/** What is known about the answer that the client gets. */
export interface ReleasedAnswer {
  /** Milliseconds from the start of the exchange to the first piece of output. */
  firstTokenMs?: number;
  /** Why the answer is invalid, where the endpoint releases it nevertheless. */
  invalid?: SluiceError;
  /** An answer that a response plugin rejected, in the two forms that a log may contain. */
  rejected?: { masked: JsonValue; asCame: JsonValue };
}
