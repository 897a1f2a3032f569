import type { TObject, TSchema } from 'typebox';
import { SluiceError } from '../../../core/errors.js';
import type { JsonObject } from '../../../core/json.js';
import type {
  Change,
  EntryStore,
  Expected,
  VersionedDocument,
} from '../../../store/directory/entry-store.js';
import type { List } from '../../http/cursors.js';

/** The entry that a call is about. `project` is empty where the entries are projects. */
export interface Place {
  project: string;
  id: string;
}

/** What is stored for a new entry. */
export interface NewEntry<Document extends VersionedDocument> {
  content: Omit<Document, keyof VersionedDocument>;
  /** Created if it does not exist. */
  id?: string;
  /** Members that only this answer has. */
  shownOnce?: object;
}

type Which<Document extends VersionedDocument> = Parameters<EntryStore<Document>['find']>[0];

/** One kind of entry that the admin API creates and the file may define too: projects, keys or endpoints. */
export interface Entries<Document extends VersionedDocument, Body, Shown extends object> {
  /** How messages name one, such as `key`. */
  name: string;
  /** How cursors of its list name it. */
  list: List;
  /** The path of the list; a single entry is below it. */
  path: string;
  /** The path parameter that names an entry. */
  id: { name: string; schema: TSchema; read?(text: string): string };
  summaries: Record<'list' | 'create' | 'read' | 'change' | 'remove', string>;
  /** What deleting one means, for the API description. */
  removed: string;
  schemas: { shown: TSchema; created: TSchema; create: TSchema; change: TObject };
  store: EntryStore<Document>;
  /** The entries of sluice.yaml, which the API shows but cannot change. */
  ofFile(project: string): readonly Shown[];
  idOf(shown: Shown): string;
  /** The stored entry with this id, or all of them. */
  which(project: string, id?: string): Which<Document>;
  /** The entry as answers show it. Throws an UnreadableError. */
  show(document: Document): Shown;
  /** Fills in what is read from elsewhere for those that are shown. */
  complete?(shown: readonly Shown[], project: string): Promise<Shown[]>;
  /** The entry as the audit shows it, without secrets. */
  describe(document: Document): JsonObject;
  /** Throws where the body is not valid for this kind. */
  create(body: Body, project: string): Promise<NewEntry<Document>>;
  /** The changed members of the stored entry. Throws as `create` does. */
  change(body: Body, place: Place): Promise<Partial<Document>>;
  /** Replaces the store's own error. */
  remove?(change: Change<Document>, id: string, expected: Expected): Promise<void>;
}

export function unknownEntry(name: string, { project, id }: Place): SluiceError {
  return new SluiceError(
    'not_found',
    `There is no ${name} ${id}${project === '' ? '' : ' in this project'}.`,
  );
}
