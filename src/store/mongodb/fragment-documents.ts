import type { Binary } from 'mongodb';

/** The JSON text of a request: the pieces one behind the other. An id stands for the text of that fragment. */
export interface PackedRequest {
  /** The bytes of the whole. */
  bytes: number;
  pieces: (string | Binary)[];
}

/** A piece of requests that logs of a project have in common. */
export interface FragmentDocument {
  /** A hash of the project's uid and the text. */
  _id: Binary;
  project_uid: string;
  /** When a log with it was last written, up to a day earlier. */
  used_at: Date;
  text: string;
}
