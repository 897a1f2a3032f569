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

/** Which entry a call means. `project` is empty where the entries are the projects themselves. */
export interface Place {
  project: string;
  id: string;
}

/** What is stored of a new entry. */
export interface NewEntry<Document extends VersionedDocument> {
  content: Omit<Document, keyof VersionedDocument>;
  /** Made where it is absent. */
  id?: string;
  /** Members that the answer has this once. */
  shownOnce?: object;
}

type Which<Document extends VersionedDocument> = Parameters<EntryStore<Document>['find']>[0];

/** One kind of what the admin API makes and the file may hold too: projects, keys or endpoints. */
export interface Entries<Document extends VersionedDocument, Body, Shown extends object> {
  /** As messages call one, such as `key`. */
  name: string;
  /** As its cursors name it. */
  list: List;
  /** Of the list; a single one is below it. */
  path: string;
  /** What names a single one in its path. */
  id: { name: string; schema: TSchema; read?(text: string): string };
  summaries: Record<'list' | 'create' | 'read' | 'change' | 'remove', string>;
  /** What it means that one is removed. */
  removed: string;
  schemas: { shown: TSchema; created: TSchema; create: TSchema; change: TObject };
  store: EntryStore<Document>;
  /** Those of sluice.yaml, which are shown here and changed there. */
  ofFile(project: string): readonly Shown[];
  idOf(shown: Shown): string;
  /** The stored one with this id, or all of them. */
  which(project: string, id?: string): Which<Document>;
  /** As answers have it. Throws an UnreadableError. */
  show(document: Document): Shown;
  /** Fills in what is read from elsewhere for those that are shown. */
  complete?(shown: readonly Shown[], project: string): Promise<Shown[]>;
  /** As the audit has it: without secrets. */
  describe(document: Document): JsonObject;
  /** Throws where the body cannot be one. */
  create(body: Body, project: string): Promise<NewEntry<Document>>;
  /** What of the stored one changes. Throws likewise. */
  change(body: Body, place: Place): Promise<Partial<Document>>;
  /** In place of the store's own. */
  remove?(change: Change<Document>, id: string, expected: Expected): Promise<void>;
}

export function unknownEntry(name: string, { project, id }: Place): SluiceError {
  return new SluiceError(
    'not_found',
    `There is no ${name} ${id}${project === '' ? '' : ' in this project'}.`,
  );
}
