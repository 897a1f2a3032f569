/** A message to the thread that reads files. */
export interface FileJob {
  job: number;
  bytes: Uint8Array;
}

/** A message from the thread that reads files. */
export type FileDone = { job: number; text: string } | { job: number; reason: string };
