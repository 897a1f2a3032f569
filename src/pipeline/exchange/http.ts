/** Header names are lower case; a repeated header's values are joined with a comma. */
export type Headers = Readonly<Record<string, string>>;

export interface RequestHead {
  method: string;
  /** With the query. */
  path: string;
  headers: Headers;
}

/** The head of an answer, from a provider or from Envoy itself. */
export interface AnswerHead {
  status: number;
  headers: Headers;
  /** Why Envoy answered in a provider's place, in its own words; absent for a provider's answer. */
  localReason?: string;
}

/** A whole answer of our own. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Where an answer goes, piece by piece: the adapter's side towards the client. */
export interface AnswerOutlet {
  head(status: number, set: Record<string, string>, remove: readonly string[]): void;
  body(bytes: Buffer): void;
  /** With the last bytes, where there are any. Nothing follows; a provider that is still sending is cut off. */
  end(last?: Buffer): void;
  /** Ends at once with this reply; only before `head`. */
  reply(reply: Reply): void;
}
