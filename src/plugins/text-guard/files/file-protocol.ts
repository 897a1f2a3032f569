/** To the thread that reads files. */
export interface FileJob {
  job: number;
  bytes: Uint8Array;
}

/** From it. */
export type FileDone = { job: number; text: string } | { job: number; reason: string };
