/** What a project asks the people who judge. Its `_id` is that of the project. */
export interface JudgingDocument {
  _id: string;
  /** The JSON of its dimensions and queues, because filters can have any keys. */
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
  /** The named queue; null where the judgement was given outside of one. */
  queue: string | null;
  /** What was judged: a person judges each subject once. */
  subject: string;
  values: Record<string, number | string>;
  /** The feedback that the judgement created. */
  signals: { id: string; log_id: string }[];
  created_at: Date;
}
