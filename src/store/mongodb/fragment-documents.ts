import type { Binary } from 'mongodb';

/** The JSON text of a request, as pieces that are joined together. An id stands for the text of the fragment with that id. */
export interface PackedRequest {
  /** The length of the whole text in bytes. */
  bytes: number;
  pieces: (string | Binary)[];
}

/** A piece of requests that logs of a project have in common. */
export interface FragmentDocument {
  /** A hash of the project's uid and the text. */
  _id: Binary;
  project_uid: string;
  /** When a log with the fragment was last written. It may be up to a day too early. */
  used_at: Date;
  text: string;
}
