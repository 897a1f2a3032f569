/* What a service sees of one gRPC call, whose both sides are streams of messages. */

/** gRPC's own numbers. */
export const STATUS = { ok: 0, unknown: 2, resourceExhausted: 8, unimplemented: 12, internal: 13 } as const;

export interface Call {
  /** The client's headers, names in lower case. */
  readonly metadata: ReadonlyMap<string, string>;
  /** Whether what is written can still arrive. */
  readonly writable: boolean;
  /** A message as its protobuf bytes. Those of one turn of the event loop leave in one write. */
  write(message: Buffer): void;
  /** Ends the call well. A client that has not ended its side by then is told so all the same. */
  end(): void;
  fail(status: number, message: string): void;
}

/** How a service is told; neither function may be called again once `onEnd` was. */
export interface CallListener {
  onMessage(message: Buffer): void;
  /** The client sent all that it had to say; or, `lost`, it broke off or its connection did. Exactly once. */
  onEnd(lost: boolean): void;
}

/** Takes a call of one method. */
export type Service = (call: Call) => CallListener;
