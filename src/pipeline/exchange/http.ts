/** Header names are in lower case; the values of a repeated header are joined with commas. */
export type Headers = Readonly<Record<string, string>>;

export interface RequestHead {
  method: string;
  /** The path with the query. */
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

/** Takes the answer piece by piece and sends it to the client. */
export interface AnswerOutlet {
  head(status: number, set: Record<string, string>, remove: readonly string[]): void;
  body(bytes: Buffer): void;
  /** Ends the answer, with the last bytes, if any. A provider that is still sending is cut off. */
  end(last?: Buffer): void;
  /** Ends the answer with this reply. Allowed only before `head`. */
  reply(reply: Reply): void;
}
