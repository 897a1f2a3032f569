import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DirectorySnapshot, DirectorySource, RememberedProject } from '../core/directory-source.js';
import { Secret } from '../core/secret.js';
import { createDirectory, type LiveDirectory } from './directory.js';
import type { DirectoryFile } from './directory-file.js';
import { hashKey } from './keys.js';
import type { SnapshotFile } from './snapshot.js';

const ONE = '00000000-0000-4000-8000-00000000000a';
const TWO = '00000000-0000-4000-8000-00000000000b';
const STORED = '00000000-0000-4000-8000-00000000000c';

const file: DirectoryFile = {
  providers: new Map(),
  projects: [ONE, TWO].map((uid) => ({
    uid,
    name: uid,
    keys: [{ name: 'demo', secret: new Secret('sk-demo'), scopes: ['inference'] }],
    endpoints: [],
  })),
  adminKeys: [{ name: 'root', secret: new Secret('sk-root') }],
};

const stored: DirectorySnapshot = {
  projects: [{ uid: STORED, name: 'stored', enabled: true }],
  keys: [
    { id: '1', project_uid: STORED, name: 'k', hash: hashKey('sk-stored'), prefix: 'sk', scopes: ['logs'] },
  ],
  endpoints: [],
  remembered: [],
};
const EMPTY: DirectorySnapshot = { projects: [], keys: [], endpoints: [], remembered: [] };

/** A store in memory whose reads end when the test says so, or at once. */
class FakeSource implements DirectorySource {
  content = EMPTY;
  away = false;
  held?: Promise<void>;
  loads = 0;
  readonly remembered: RememberedProject[] = [];
  signal?: AbortSignal;
  tellChange: () => void = () => {};

  async load(): Promise<DirectorySnapshot> {
    this.loads++;
    const content = this.content;
    await this.held;
    if (this.away) throw new Error('away');
    return content;
  }

  async remember(projects: readonly RememberedProject[]): Promise<void> {
    this.remembered.push(...projects);
    const others = this.content.remembered.filter(({ uid }) => projects.every((known) => known.uid !== uid));
    this.content = { ...this.content, remembered: [...others, ...projects] };
  }

  watch(changed: () => void, signal: AbortSignal): void {
    this.tellChange = changed;
    this.signal = signal;
  }
}

function memorySnapshot(initial?: DirectorySnapshot): SnapshotFile & { kept?: DirectorySnapshot } {
  return {
    kept: initial,
    async read() {
      return this.kept;
    },
    async write(snapshot) {
      this.kept = snapshot;
    },
  };
}

let source: FakeSource;
let warnings: string[];
let directory: LiveDirectory | undefined;

function create(snapshot?: SnapshotFile, from = file): LiveDirectory {
  const logger = { warn: (_fields: object, message: string) => void warnings.push(message) };
  directory = createDirectory({ file: from, source, snapshot, logger });
  return directory;
}

beforeEach(() => {
  vi.useFakeTimers();
  source = new FakeSource();
  warnings = [];
});

afterEach(async () => {
  await directory?.stop();
  vi.useRealTimers();
});

describe('keys', () => {
  it('open their own project only', async () => {
    source.content = stored;
    const live = create();
    await live.start();
    expect(live.authenticate(STORED, 'sk-stored')?.id).toBe('1');
    expect(live.authenticate(ONE, 'sk-stored')).toBeUndefined();
    expect(live.authenticate(STORED, 'sk-demo')).toBeUndefined();
    expect(live.authenticate('unknown', 'sk-demo')).toBeUndefined();
  });

  it('may have the same text in two projects', () => {
    const live = create();
    expect(live.authenticate(ONE, 'sk-demo')?.name).toBe('demo');
    expect(live.authenticate(TWO, 'sk-demo')?.name).toBe('demo');
  });

  it('open a project however its uid is written', () => {
    expect(create().authenticate(ONE.toUpperCase(), 'sk-demo')).toBeDefined();
  });

  it('do not open a disabled project, which still can be looked up', async () => {
    source.content = { ...stored, projects: [{ ...stored.projects[0]!, enabled: false }] };
    const live = create();
    await live.start();
    expect(live.authenticate(STORED, 'sk-stored')).toBeUndefined();
    expect(live.project(STORED)?.enabled).toBe(false);
  });

  it('of administrators are found by name', () => {
    const live = create();
    expect(live.authenticateAdmin('sk-root')).toBe('root');
    expect(live.authenticateAdmin('sk-demo')).toBeUndefined();
  });
});

describe('a changed file', () => {
  it('takes effect at once and keeps what the API made', async () => {
    source.content = stored;
    const live = create();
    await live.start();
    live.replaceFile({ ...file, projects: file.projects.slice(1) });
    expect(live.project(ONE)?.enabled).toBe(false);
    expect(live.authenticate(ONE, 'sk-demo')).toBeUndefined();
    expect(live.authenticate(TWO, 'sk-demo')).toBeDefined();
    expect(live.authenticate(STORED, 'sk-stored')).toBeDefined();
  });
});

describe('a change in the store', () => {
  it('is read when it is announced', async () => {
    const live = create();
    await live.start();
    source.content = stored;
    source.tellChange();
    await live.refresh();
    expect(live.project(STORED)?.name).toBe('stored');
  });

  it('is visible to anyone who asks after it, even while an older read is in progress', async () => {
    const live = create();
    await live.start();
    let release = () => {};
    source.held = new Promise((resolve) => {
      release = resolve;
    });
    const older = live.refresh();
    source.content = stored;
    const newer = live.refresh();
    release();
    await older;
    expect(live.project(STORED)).toBeUndefined();
    await newer;
    expect(live.project(STORED)).toBeDefined();
  });

  it('leads to two reads at most, even where there are many', async () => {
    const live = create();
    await live.start();
    const before = source.loads;
    for (let i = 0; i < 10; i++) source.tellChange();
    await live.refresh();
    expect(source.loads - before).toBe(2);
  });

  it('that clashes with the file is reported once', async () => {
    source.content = { ...EMPTY, projects: [{ uid: ONE, name: 'x', enabled: true }] };
    const live = create();
    await live.start();
    await live.refresh();
    expect(warnings).toEqual([`project ${ONE} is in the file; the one of the API is not used`]);
  });
});

describe('while the store is away', () => {
  it('a start uses the last copy', async () => {
    source.away = true;
    const live = create(memorySnapshot(stored));
    await live.start();
    expect(live.authenticate(STORED, 'sk-stored')).toBeDefined();
    expect(live.state()).toEqual({ origin: 'snapshot', staleSince: expect.any(Number) });
  });

  it('a start without a copy uses the file alone', async () => {
    source.away = true;
    const live = create(memorySnapshot());
    await live.start();
    expect(live.authenticate(ONE, 'sk-demo')).toBeDefined();
    expect(live.state()).toEqual({ origin: 'nowhere', staleSince: expect.any(Number) });
  });

  it('an unreadable copy is reported and otherwise ignored', async () => {
    source.away = true;
    const live = create({ read: () => Promise.reject(new Error('broken')), write: async () => {} });
    await live.start();
    expect(live.state().origin).toBe('nowhere');
    expect(warnings).toContain('the local copy of projects cannot be read');
  });

  it('what was read before remains', async () => {
    source.content = stored;
    const live = create();
    await live.start();
    source.away = true;
    await expect(live.refresh()).rejects.toThrow('away');
    expect(live.authenticate(STORED, 'sk-stored')).toBeDefined();
    expect(live.state()).toEqual({ origin: 'store', staleSince: expect.any(Number) });
  });

  it('or while its admin service cannot reach it, the directory is as old as that service says', async () => {
    const ages: number[] = [];
    let staleSince: number | undefined = 1_000;
    const live = createDirectory({
      file,
      source: Object.assign(source, { staleSince: () => staleSince }),
      onStale: (since) => ages.push(since),
      logger: { warn: (_fields, message) => warnings.push(message) },
    });
    source.content = stored;
    await live.start();
    expect(live.project(STORED)).toBeDefined();
    expect([live.state(), ages]).toEqual([{ origin: 'store', staleSince: 1_000 }, [1_000]]);
    expect(warnings).toEqual(['projects cannot be read from the store; the last known ones stay in use']);
    staleSince = undefined;
    await live.refresh();
    expect(live.state()).toEqual({ origin: 'store' });
    await live.stop();
  });

  it('reading is repeated until the store is back, and the outage reported once', async () => {
    source.away = true;
    const live = create();
    await live.start();
    await vi.advanceTimersByTimeAsync(3_000);
    source.away = false;
    source.content = stored;
    await vi.advanceTimersByTimeAsync(30_000);
    expect(live.state()).toEqual({ origin: 'store' });
    expect(live.project(STORED)).toBeDefined();
    expect(warnings).toEqual(['projects cannot be read from the store; the last known ones stay in use']);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('the copy on disk', () => {
  it('follows the store', async () => {
    const snapshot = memorySnapshot();
    source.content = stored;
    await create(snapshot).start();
    expect(snapshot.kept).toEqual({ ...stored, remembered: source.remembered });
  });

  it('a copy that cannot be written is reported, and the directory keeps working', async () => {
    source.content = stored;
    const live = create({ read: async () => undefined, write: () => Promise.reject(new Error('full')) });
    await live.start();
    expect(live.project(STORED)).toBeDefined();
    expect(warnings).toEqual(['the local copy of projects cannot be written']);
  });
});

describe('the projects of the file', () => {
  it('are remembered, each once, and again where they changed', async () => {
    const live = create();
    await live.start();
    expect(source.remembered.map(({ uid }) => uid)).toEqual([ONE, TWO]);
    await live.refresh();
    live.replaceFile({ ...file, projects: [{ ...file.projects[0]!, name: 'renamed' }] });
    await live.refresh();
    expect(source.remembered.slice(2)).toEqual([{ uid: ONE, name: 'renamed' }]);
  });
});

it('stops to watch and to retry', async () => {
  source.away = true;
  const live = create();
  await live.start();
  await live.stop();
  expect(source.signal?.aborted).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});
