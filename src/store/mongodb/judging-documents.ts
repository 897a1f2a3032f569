/** What a project asks the people who judge. Its `_id` is the project's. */
export interface JudgingDocument {
  _id: string;
  /** JSON of its dimensions and queues, because filters can have any keys. */
  settings: string;
  schema_version?: number;
  revision: number;
  created_at: Date;
  updated_at: Date;
}

/** What one person said about one log, or about a pair of logs. */
export interface JudgementDocument {
  _id: string;
  project_uid: string;
  /** The name of the key that the person signed in with. */
  annotator: string;
  /** Null where it was given outside of a named queue. */
  queue: string | null;
  /** What was judged: a person judges each subject once. */
  subject: string;
  values: Record<string, number | string>;
  /** The feedback that it became. */
  signals: { id: string; log_id: string }[];
  created_at: Date;
}
