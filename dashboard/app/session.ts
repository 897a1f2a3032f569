import { ApiError, call, sessionEnded } from '../api/client.ts';
import { createKeptStore, createStore } from './store.ts';
import { tell } from './toasts.tsx';

export interface Session {
  kind: 'admin' | 'project';
  projectUid: string | undefined;
  /** The name of the project with `projectUid`. */
  projectName: string | undefined;
  scopes: string[];
}

/** The session; undefined until the service has answered, and null where nobody is signed in. */
export const session = createStore<Session | null | undefined>(undefined);

/** Whether somebody signed in with this browser before. If not, the service need not be asked for a session. */
const mayHaveSession = createKeptStore('sluice.signed-in', false);

sessionEnded.listen(() => {
  mayHaveSession.set(false);
  session.set(null);
});

/** Whether there probably is a session. */
export const hasSignedInBefore = mayHaveSession.get;

export async function readSession(): Promise<void> {
  if (!mayHaveSession.get()) return session.set(null);
  try {
    const { kind, project_uid, project_name, scopes } = await call('GET /api/session');
    session.set({ kind, projectUid: project_uid, projectName: project_name, scopes });
  } catch (error) {
    // Only a 401 means that the session has ended. Other errors are temporary, and the browser keeps its session.
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    mayHaveSession.set(false);
    session.set(null);
  }
}

export async function signIn(key: string): Promise<void> {
  await call('POST /api/session', { body: { key } });
  mayHaveSession.set(true);
  await readSession();
}

export async function signOut(): Promise<void> {
  try {
    await call('DELETE /api/session');
  } catch (error) {
    // A 401 means that the session had ended already.
    if (!(error instanceof ApiError) || error.status !== 401) {
      tell(
        'Sluice did not answer, so the session is still open on the server. Sign in and out again later.',
        {
          tone: 'bad',
        },
      );
    }
  }
  sessionEnded.tell();
}

/** Whether the reader has this scope. */
export function may(scope: 'inference' | 'feedback' | 'logs'): boolean {
  const current = session.get();
  return current?.kind === 'admin' || (current?.scopes.includes(scope) ?? false);
}
