/** Internals of the driver, whose version is pinned; the tests of logs use them with each batch. */
declare module 'mongodb/lib/cmap/commands.js' {
  /** Documents that are sent after a command and are not part of it. */
  export class DocumentSequence {
    constructor(field: string);
    /** The section of the message. */
    toBin(): Uint8Array;
  }
}
