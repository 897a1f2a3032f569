import type { FastifyRequest } from 'fastify';
import type { Directory } from '../core/directory.js';
import { SluiceError } from '../core/errors.js';
import type { Scope } from '../core/settings.js';
import type { AdminDirectory } from './dependencies.js';

/** A hook that ends a request unless its key opens the route. */
export type AccessCheck = (request: FastifyRequest) => Promise<void>;

/** The key of a request: `Authorization: Bearer`, or `x-api-key`. */
export function keyOf(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers;
  if (authorization !== undefined) return /^bearer +(\S+) *$/i.exec(authorization)?.[1];
  const header = request.headers['x-api-key'];
  return typeof header === 'string' && header !== '' ? header : undefined;
}

/** For routes below `/{project_uid}`: a key of the project with this scope, or an admin key. */
export function requireScope(directory: Directory, scope: Scope): AccessCheck {
  return async (request) => {
    const keyText = requireKey(request);
    if (directory.authenticateAdmin(keyText) !== undefined) return;
    const { project_uid } = request.params as { project_uid: string };
    const key = directory.authenticate(project_uid, keyText);
    if (key === undefined) throw unknownKey();
    if (!key.scopes.includes(scope)) throw missingScope(scope);
  };
}

/** For `/api`: an admin key. A key of a project is known, but does not open it. */
export function requireAdmin(directory: AdminDirectory): AccessCheck {
  return async (request) => {
    const keyText = requireKey(request);
    if (directory.authenticateAdmin(keyText) !== undefined) return;
    if (projectsOpenedBy(directory, keyText).length === 0) throw unknownKey();
    throw new SluiceError('insufficient_scope', 'Administration needs an admin key.');
  };
}

/** The name of the admin key that a request came with, behind `requireAdmin`. */
export function adminName(directory: Directory, request: FastifyRequest): string {
  const name = directory.authenticateAdmin(requireKey(request));
  if (name === undefined) throw unknownKey();
  return name;
}

/** The projects that a key opens with any scope. Most keys open one, but a file may give a key to several. */
export function projectsOpenedBy(
  directory: AdminDirectory,
  keyText: string,
): { uid: string; scopes: readonly Scope[] }[] {
  return directory.projects().flatMap(({ uid }) => {
    const key = directory.authenticate(uid, keyText);
    return key === undefined ? [] : [{ uid, scopes: key.scopes }];
  });
}

export function requireKey(request: FastifyRequest): string {
  const keyText = keyOf(request);
  if (keyText === undefined) {
    throw new SluiceError('invalid_api_key', 'No API key was given. Send `Authorization: Bearer <API_KEY>`.');
  }
  return keyText;
}

export function unknownKey(): SluiceError {
  return new SluiceError('invalid_api_key', 'The API key is not valid for this project.');
}

export function missingScope(scope: Scope): SluiceError {
  return new SluiceError('insufficient_scope', `The API key lacks the scope \`${scope}\`.`);
}
