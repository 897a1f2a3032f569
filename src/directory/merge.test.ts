import { describe, expect, it } from 'vitest';
import { endpointOf } from '../../test/support/endpoint.js';
import type { DirectorySnapshot } from '../core/directory-source.js';
import { Secret } from '../core/secret.js';
import type { Endpoint } from '../core/settings.js';
import type { DirectoryFile } from './directory-file.js';
import { hashKey } from './keys.js';
import { EMPTY_VIEW, mergeDirectory } from './merge.js';

const FILE_UID = '00000000-0000-4000-8000-00000000000a';
const API_UID = '00000000-0000-4000-8000-00000000000b';
const NOTHING: DirectorySnapshot = { projects: [], keys: [], endpoints: [], remembered: [] };

function endpoint(name: string, model = 'm'): Endpoint {
  return endpointOf({ name, models: [{ provider: 'local', model, structured_output: false }] });
}

function fileOf(projects: DirectoryFile['projects']): DirectoryFile {
  return { providers: new Map(), projects, adminKeys: [] };
}

const file = fileOf([
  {
    uid: FILE_UID,
    name: 'demo',
    keys: [{ name: 'demo', secret: new Secret('sk-demo'), scopes: ['inference'] }],
    endpoints: [endpoint('support')],
  },
]);

function storedKey(project_uid: string, name: string, text: string): DirectorySnapshot['keys'][number] {
  return { id: `id-${name}`, project_uid, name, hash: hashKey(text), prefix: 'sk', scopes: ['logs'] };
}

const api: DirectorySnapshot = {
  projects: [{ uid: API_UID, name: 'other', enabled: true, retention_days: 7 }],
  keys: [storedKey(API_UID, 'one', 'sk-one'), storedKey(FILE_UID, 'two', 'sk-two')],
  endpoints: [
    { project_uid: API_UID, endpoint: endpoint('chat') },
    { project_uid: FILE_UID, endpoint: endpoint('more') },
  ],
  remembered: [],
};

function entryOf(uid: string, from = mergeDirectory(file, api, EMPTY_VIEW)) {
  const entry = from.view.projects.get(uid);
  return (
    entry && {
      ...entry,
      endpoints: [...entry.project.endpoints.keys()],
      keys: [...entry.keysByHash.values()],
    }
  );
}

describe('projects of the file and of the API', () => {
  it('exist beside each other', () => {
    expect(entryOf(FILE_UID)?.project).toMatchObject({ name: 'demo', enabled: true, managed_by: 'file' });
    expect(entryOf(API_UID)?.project).toMatchObject({ name: 'other', managed_by: 'api', retention_days: 7 });
  });

  it('name the origin of each key', () => {
    expect(entryOf(FILE_UID)?.keys.map(({ id, managed_by }) => [id, managed_by])).toEqual([
      ['file:demo', 'file'],
      ['id-two', 'api'],
    ]);
  });

  it('contain hashes of keys, not their text', () => {
    const printed = JSON.stringify(entryOf(FILE_UID)?.keys);
    expect(printed).not.toContain('sk-demo');
    expect(printed).toContain(hashKey('sk-demo'));
  });

  it('let the API add keys and endpoints to a project of the file', () => {
    expect(entryOf(FILE_UID)?.endpoints).toEqual(['support', 'more']);
  });

  it('leave out keys and endpoints whose project does not exist', () => {
    const merged = mergeDirectory(fileOf([]), { ...api, projects: [] }, EMPTY_VIEW);
    expect(merged.view.projects.size).toBe(0);
    expect(merged.clashes).toEqual([]);
  });
});

describe('on a clash the file wins and says so', () => {
  it.each<[string, Partial<DirectorySnapshot>, string]>([
    [
      'of projects',
      { projects: [{ uid: FILE_UID.toUpperCase(), name: 'impostor', enabled: false }] },
      `project ${FILE_UID} is in the file`,
    ],
    [
      'of endpoints',
      { endpoints: [{ project_uid: FILE_UID, endpoint: endpoint('support', 'other') }] },
      `endpoint "support" of project ${FILE_UID} is in the file`,
    ],
    [
      'of key names',
      { keys: [storedKey(FILE_UID, 'demo', 'sk-x')] },
      `key "demo" of project ${FILE_UID} is in the file`,
    ],
    [
      'of key texts',
      { keys: [storedKey(FILE_UID, 'x', 'sk-demo')] },
      `key "x" of project ${FILE_UID} is in the file`,
    ],
  ])('%s', (_name, stored, told) => {
    const merged = mergeDirectory(file, { ...NOTHING, ...stored }, EMPTY_VIEW);
    const entry = entryOf(FILE_UID, merged);
    expect(entry?.project).toMatchObject({ name: 'demo', enabled: true });
    expect(entry?.project.endpoints.get('support')?.models[0]?.model).toBe('m');
    expect(entry?.keys.map(({ id }) => id)).toEqual(['file:demo']);
    expect(merged.clashes).toEqual([`${told}; the one of the API is not used`]);
  });
});

describe('a project that leaves the file', () => {
  const before = mergeDirectory(file, api, EMPTY_VIEW).view;

  it('is disabled, together with what the API added to it', () => {
    const entry = entryOf(FILE_UID, mergeDirectory(fileOf([]), api, before));
    expect(entry?.project).toMatchObject({ name: 'demo', enabled: false, managed_by: 'file' });
    expect(entry?.keys).toEqual([]);
    expect(entry?.endpoints).toEqual([]);
  });

  it('keeps its logs, even where the file limited how long', () => {
    const short = fileOf([{ ...file.projects[0]!, retention_days: 1 }]);
    const before = mergeDirectory(short, api, EMPTY_VIEW).view;
    expect(entryOf(FILE_UID, mergeDirectory(short, api, before))?.project.retention_days).toBe(1);
    const gone = entryOf(FILE_UID, mergeDirectory(fileOf([]), api, before));
    expect(gone?.project.retention_days).toBeUndefined();
  });

  it('stays disabled through later changes, and works again when it comes back', () => {
    const gone = mergeDirectory(fileOf([]), api, before).view;
    const stillGone = mergeDirectory(fileOf([]), NOTHING, gone);
    expect(entryOf(FILE_UID, stillGone)?.project.enabled).toBe(false);
    const back = entryOf(FILE_UID, mergeDirectory(file, api, stillGone.view));
    expect(back?.project.enabled).toBe(true);
    expect(back?.keys.map(({ id }) => id)).toEqual(['file:demo', 'id-two']);
  });

  it('is disabled after a restart too, since it is remembered', () => {
    const remembered = [{ uid: FILE_UID, name: 'demo' }];
    const entry = entryOf(FILE_UID, mergeDirectory(fileOf([]), { ...api, remembered }, EMPTY_VIEW));
    expect(entry?.project).toMatchObject({ enabled: false, managed_by: 'file' });
    const back = entryOf(FILE_UID, mergeDirectory(file, { ...api, remembered }, EMPTY_VIEW));
    expect(back?.project.enabled).toBe(true);
  });

  it('is from then on the one of the API where the API has it too', () => {
    const stored = { ...NOTHING, projects: [{ uid: FILE_UID, name: 'taken over', enabled: true }] };
    expect(entryOf(FILE_UID, mergeDirectory(fileOf([]), stored, before))?.project).toMatchObject({
      name: 'taken over',
      enabled: true,
      managed_by: 'api',
    });
  });
});

describe('a project of the API that is deleted', () => {
  it('no longer exists', () => {
    const before = mergeDirectory(file, api, EMPTY_VIEW).view;
    expect(entryOf(API_UID, mergeDirectory(file, NOTHING, before))).toBeUndefined();
  });
});

describe('the objects of endpoints after a change', () => {
  it('are the same where nothing in them changed', () => {
    const before = mergeDirectory(file, api, EMPTY_VIEW).view;
    const after = mergeDirectory(structuredFile(), structuredClone(api), before).view;
    for (const uid of [FILE_UID, API_UID]) {
      for (const [name, same] of before.projects.get(uid)!.project.endpoints) {
        expect(after.projects.get(uid)!.project.endpoints.get(name)).toBe(same);
      }
    }
  });

  it('are new ones where something changed', () => {
    const before = mergeDirectory(file, api, EMPTY_VIEW).view;
    const changed = fileOf([{ ...file.projects[0]!, endpoints: [endpoint('support', 'larger')] }]);
    const after = mergeDirectory(changed, api, before).view.projects.get(FILE_UID)!.project.endpoints;
    expect(after.get('support')?.models[0]?.model).toBe('larger');
    expect(after.get('more')).toBe(before.projects.get(FILE_UID)!.project.endpoints.get('more'));
  });
});

/** The same file read once more. */
function structuredFile(): DirectoryFile {
  return fileOf(
    file.projects.map((project) => ({ ...project, endpoints: structuredClone(project.endpoints) })),
  );
}
