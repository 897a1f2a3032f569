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
  /** The id of the entry; one is created where it is absent. */
  id?: string;
  /** Members that only the answer to the creation has, such as the text of a key. */
  shownOnce?: object;
}

type Which<Document extends VersionedDocument> = Parameters<EntryStore<Document>['find']>[0];

/** One kind of entry that both the admin API and the file can define: projects, keys or endpoints. */
export interface Entries<Document extends VersionedDocument, Body, Shown extends object> {
  /** The name of such an entry in messages, such as `key`. */
  name: string;
  /** The name of the list in cursors. */
  list: List;
  /** The path of the list. A single entry is below it. */
  path: string;
  /** The path parameter that names an entry. */
  id: { name: string; schema: TSchema; read?(text: string): string };
  summaries: Record<'list' | 'create' | 'read' | 'change' | 'remove', string>;
  /** What the deletion of one means, for the API description. */
  removed: string;
  schemas: { shown: TSchema; created: TSchema; create: TSchema; change: TObject };
  store: EntryStore<Document>;
  /** The entries of sluice.yaml, which the API shows but cannot change. */
  ofFile(project: string): readonly Shown[];
  idOf(shown: Shown): string;
  /** Selects the stored entry with this id, or all stored entries. */
  which(project: string, id?: string): Which<Document>;
  /** The entry in the form of answers. Throws an UnreadableError. */
  show(document: Document): Shown;
  /** Adds members that are stored elsewhere to the entries that are shown. */
  complete?(shown: readonly Shown[], project: string): Promise<Shown[]>;
  /** The entry in the form of the audit, without secrets. */
  describe(document: Document): JsonObject;
  /** Checks the body of a new entry. Throws where it is not valid. */
  create(body: Body, project: string): Promise<NewEntry<Document>>;
  /** The members of the stored entry that a body changes. Throws where the body is not valid. */
  change(body: Body, place: Place): Promise<Partial<Document>>;
  /** Removes the entry, where the store's own function is not enough. */
  remove?(change: Change<Document>, id: string, expected: Expected): Promise<void>;
}

export function unknownEntry(name: string, { project, id }: Place): SluiceError {
  return new SluiceError(
    'not_found',
    `There is no ${name} ${id}${project === '' ? '' : ' in this project'}.`,
  );
}
