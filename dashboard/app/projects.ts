import { call } from '../api/client.ts';
import { type Loaded, useLoad } from './load.ts';
import { session } from './session.ts';
import { createKeptStore, createStore, useStore } from './store.ts';

export interface ProjectName {
  uid: string;
  name: string;
}

const lastProject = createKeptStore<string | undefined>('sluice.project', undefined);
const round = createStore(0);

/** The projects that the reader may see: with a key of one project only that one. */
export function useProjects(): Loaded<ProjectName[]> {
  const current = useStore(session);
  const again = useStore(round);
  const key = current ? `projects ${current.kind} ${current.projectUid} ${again}` : undefined;
  return useLoad<ProjectName[]>(key, async (signal) => {
    if (current?.kind !== 'admin') {
      return [{ uid: current?.projectUid ?? '', name: current?.projectName ?? 'My project' }];
    }
    return (await call('GET /api/projects', { signal })).data;
  });
}

/** Call it after a project was made, renamed or removed. */
export function projectsChanged(): void {
  round.set(round.get() + 1);
}

/** The project that is shown first: the last one that was looked at, or the first of the list. */
export function startingProject(projects: ProjectName[]): string | undefined {
  const last = lastProject.get();
  return projects.find(({ uid }) => uid === last)?.uid ?? projects[0]?.uid;
}

export const rememberProject = lastProject.set;
