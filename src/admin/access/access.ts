import type { FastifyRequest, onRequestAsyncHookHandler, RouteOptions } from 'fastify';
import { SluiceError } from '../../core/errors.js';
import type { Scope } from '../../core/settings.js';
import type { AdminServer } from '../admin-server.js';
import type { Caller, Callers } from './callers.js';
import { refuseForeignSites } from './same-site.js';

/**
 * Who may call a route. `public`: everybody. `session`: who signed in. `admin`: an admin key. `engine`: the key of
 * engines, which opens nothing else. A `scope`: a key of the project in the path with this scope, or an admin key;
 * with `of: 'log'` the path names no project, so the key must have the scope in any project and the route checks
 * that this is the log's.
 */
export type Access = 'public' | 'session' | 'admin' | 'engine' | { scope: Scope; of?: 'log' };

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    /** Null on public routes and on the routes of engines. */
    caller: Caller | null;
  }
}

/**
 * Access is denied by default: the server does not start with a route that declares no `access`, and such a route
 * refuses every call. The check runs after a route's own `onRequest` hooks.
 */
export function declareAccess(server: AdminServer, callers: Callers): void {
  const routes: RouteOptions[] = [];
  const check: onRequestAsyncHookHandler = async (request) => {
    const { access } = request.routeOptions.config;
    if (access === undefined) throw new Error(`${request.method} ${request.routeOptions.url} has no access`);
    if (access === 'public') return;
    if (access === 'engine') return callers.checkEngine(request);
    const caller = await callers.of(request);
    request.caller = caller;
    if (caller.session !== undefined) refuseForeignSites(request);
    checkAccess(access, caller, request);
  };
  server.decorateRequest('caller', null);
  server.addHook('onRoute', (route) => {
    routes.push(route);
    // Fastify makes a HEAD route from each GET route, with its hooks.
    const own = [route.onRequest ?? []].flat().filter((hook) => hook !== check);
    route.onRequest = [...own, check];
    const access = route.config?.access;
    if (access === undefined || route.schema?.hide) return;
    route.schema = { ...route.schema, ...describeAccess(access) };
  });
  server.addHook('onReady', async () => {
    const open = routes.filter(({ config }) => config?.access === undefined);
    const names = open.map(({ method, url }) => `${method} ${url}`);
    if (names.length > 0) throw new Error(`routes that declare no access: ${names.join(', ')}`);
  });
}

/** Opens the routes of a Fastify plugin, which cannot declare their access themselves. */
export function openToAll(scope: Pick<AdminServer, 'addHook'>): void {
  scope.addHook('onRoute', (route) => {
    route.config = { ...route.config, access: 'public' };
  });
}

function describeAccess(access: Access): object {
  const right = typeof access === 'object' ? `scope ${access.scope}` : access;
  return { 'x-access': right, ...(access === 'public' ? { security: [] } : {}) };
}

function checkAccess(
  access: Exclude<Access, 'public' | 'engine'>,
  caller: Caller,
  request: FastifyRequest,
): void {
  if (access === 'session') {
    if (caller.session === undefined) throw new SluiceError('invalid_api_key', 'Nobody is signed in.');
    return;
  }
  if (caller.isAdmin) return;
  if (access === 'admin') throw new SluiceError('insufficient_scope', 'Administration needs an admin key.');
  if (access.of === 'log') {
    const all = [...caller.scopes.values()];
    if (!all.some((scopes) => scopes.includes(access.scope))) throw missingScope(access.scope);
    return;
  }
  const { project_uid } = request.params as { project_uid: string };
  checkScope(caller, project_uid, access.scope);
}

/** Throws unless the caller may do this in this project. */
export function checkScope(caller: Caller, projectUid: string, scope: Scope): void {
  if (caller.isAdmin) return;
  const scopes = caller.scopes.get(projectUid.toLowerCase());
  if (scopes === undefined) {
    throw new SluiceError('invalid_api_key', 'The API key is not valid for this project.');
  }
  if (!scopes.includes(scope)) throw missingScope(scope);
}

/** The caller of a route that is not public. Call it only after the check has passed. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('a public route has no caller');
  return request.caller;
}

export function missingScope(scope: Scope): SluiceError {
  return new SluiceError('insufficient_scope', `The API key lacks the scope \`${scope}\`.`);
}
