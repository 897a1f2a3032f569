/** Header names are in lower case; the values of a repeated header are joined with commas. */
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
  /** Envoy's reason for answering in a provider's place; absent for a provider's answer. */
  localReason?: string;
}

/** A complete answer of our own. */
export interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Takes the answer piece by piece: the side of the adapter that faces the client. */
export interface AnswerOutlet {
  head(status: number, set: Record<string, string>, remove: readonly string[]): void;
  body(bytes: Buffer): void;
  /** With the last bytes, if any. Nothing follows, and a provider that is still sending is cut off. */
  end(last?: Buffer): void;
  /** Ends at once with this reply; only allowed before `head`. */
  reply(reply: Reply): void;
}
