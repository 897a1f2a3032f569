/** What the driver has and does not tell of; its version is fixed, and the tests of logs use it with each batch. */
declare module 'mongodb/lib/cmap/commands.js' {
  /** Documents that stand behind a command, and not in it. */
  export class DocumentSequence {
    constructor(field: string);
    /** The section of the message. */
    toBin(): Uint8Array;
  }
}
