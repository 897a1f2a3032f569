import { SluiceError } from '../../core/errors.js';
import { Type } from '../../core/schema-type.js';
import { SCOPES } from '../../core/settings.js';
import { LIFETIME_MS } from '../../store/directory/sessions.js';
import { callerOf, missingScope } from '../access/access.js';
import type { Callers } from '../access/callers.js';
import { isOwnPage } from '../access/same-site.js';
import { giveCookie, newSession, takeCookie } from '../access/session-cookie.js';
import { SignInTries } from '../access/sign-in-tries.js';
import type { AdminServer } from '../admin-server.js';
import type { AdminDependencies, AdminDirectory } from '../dependencies.js';
import { asAnswer } from '../http/as-answer.js';
import { errorResponses, moment, oneOf, strictObject } from '../schemas/common.js';

const sessionSchema = Type.Object({
  kind: oneOf(['admin', 'project']),
  project_uid: Type.Optional(
    Type.String({ description: 'The project whose logs the key opens; absent for an admin key.' }),
  ),
  project_name: Type.Optional(Type.String({ description: 'The name of that project.' })),
  endpoints: Type.Optional(
    Type.Array(Type.String(), { description: 'The endpoints of that project that the key may call.' }),
  ),
  name: Type.String({ description: 'The name of the key.' }),
  scopes: Type.Array(oneOf(SCOPES), { description: 'What the key may do in a project.' }),
  expires_at: moment('When it ends, unless it is used until then.'),
});

const tags = ['session'];

/** Sign-in, so that people need not enter a key on every page. */
export function sessionRoutes(
  server: AdminServer,
  dependencies: AdminDependencies & { callers: Callers },
): void {
  serveSignIn(server, dependencies);
  serveSession(server, dependencies);
  serveSignOut(server, dependencies);
}

function serveSignIn(
  server: AdminServer,
  { store, directory, clock, callers }: AdminDependencies & { callers: Callers },
): void {
  const tries = new SignInTries(clock);

  server.post(
    '/api/session',
    {
      // A caller with a correct key is let in, whatever other callers with the same address did.
      config: { access: 'public', rateLimit: false },
      bodyLimit: 16 * 1024,
      schema: {
        summary: 'Sign in with a key',
        description:
          'Gives a cookie that every route of this port takes in place of a key. What a page changes with it needs ' +
          'the header `x-sluice-csrf: 1`, and the page must be of this server.',
        tags,
        body: strictObject({
          key: Type.String({
            minLength: 1,
            maxLength: 4096,
            description: "An admin key, or a project's key with the scope `logs`.",
          }),
        }),
        response: { 204: Type.Null({ description: 'Signed in; the cookie is set.' }), ...errorResponses },
      },
    },
    async (request, reply) => {
      if (request.headers.origin !== undefined && !isOwnPage(request)) {
        throw new SluiceError('cross_site_request', 'Sign in from a page of this server.');
      }
      const key = directory.findKey(request.body.key);
      if (key === undefined) {
        const pause = tries.pauseOf(request.ip);
        if (pause > 0) {
          reply.header('retry-after', pause);
          throw new SluiceError('rate_limited', `Too many wrong keys. Try again in ${pause} s.`);
        }
        tries.fail(request.ip);
        throw new SluiceError('invalid_api_key', 'There is no such key.');
      }
      if (!key.isAdmin && readableProject(key.scopes) === undefined) throw missingScope('logs');
      const { secret, id } = newSession();
      await store.sessions.open(id, key.hash);
      callers.opened(id);
      tries.succeed(request.ip);
      giveCookie(request, reply, secret, LIFETIME_MS / 1000);
      return reply.code(204).send(null);
    },
  );
}

function serveSession(server: AdminServer, { directory }: AdminDependencies): void {
  server.get(
    '/api/session',
    {
      config: { access: 'session' },
      schema: { summary: 'Who is signed in', tags, response: { 200: sessionSchema, ...errorResponses } },
    },
    async (request) => {
      const { isAdmin, name, hash, scopes, session } = callerOf(request);
      const project = readableProject(scopes);
      return asAnswer({
        kind: isAdmin ? 'admin' : 'project',
        ...(project === undefined ? {} : describeProject(directory, project.uid, hash)),
        name,
        scopes: isAdmin ? [...SCOPES] : [...(project?.scopes ?? [])],
        expires_at: session?.expires_at,
      });
    },
  );
}

/** What the holder of a key may know of its project. */
function describeProject(directory: AdminDirectory, project_uid: string, keyHash: string) {
  const project = directory.project(project_uid);
  const allowed = directory.keys(project_uid).find(({ hash }) => hash === keyHash)?.endpoints;
  const endpoints = [...(project?.endpoints.keys() ?? [])];
  return {
    project_uid,
    project_name: project?.name ?? project_uid,
    endpoints: endpoints.filter((name) => allowed?.includes(name) ?? true),
  };
}

function serveSignOut(server: AdminServer, { store }: AdminDependencies): void {
  server.delete(
    '/api/session',
    {
      config: { access: 'session' },
      schema: {
        summary: 'Sign out',
        tags,
        response: { 204: Type.Null({ description: 'The session has ended.' }), ...errorResponses },
      },
    },
    async (request, reply) => {
      const { session } = callerOf(request);
      if (session !== undefined) await store.sessions.close(session.id);
      takeCookie(request, reply);
      return reply.code(204).send(null);
    },
  );
}

type Scopes = ReturnType<typeof callerOf>['scopes'];

/** The first project whose logs the key may read. */
function readableProject(all: Scopes) {
  const [uid, scopes] = [...all].find(([, scopes]) => scopes.includes('logs')) ?? [];
  return uid === undefined || scopes === undefined ? undefined : { uid, scopes };
}
