import { createHash, randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

export const SESSION_COOKIE = 'sluice_session';
const SECRET_BYTES = 32;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** A new session: the secret that the browser keeps, and the id under which the store knows it. */
export function newSession(): { secret: string; id: string } {
  const secret = randomBytes(SECRET_BYTES).toString('base64url');
  return { secret, id: hashSecret(secret) };
}

/** The id of the session in a request's cookie. */
export function readSession(request: FastifyRequest): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=', 2);
    if (name === SESSION_COOKIE && SECRET.test(value)) return hashSecret(value);
  }
  return undefined;
}

export function giveCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  secret: string,
  maxAgeSeconds: number,
): void {
  reply.header('set-cookie', cookie(request, secret, maxAgeSeconds));
}

export function takeCookie(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('set-cookie', cookie(request, '', 0));
}

function cookie(request: FastifyRequest, value: string, maxAgeSeconds: number): string {
  const parts = [
    `${SESSION_COOKIE}=${value}`,
    'Path=/',
    `Max-Age=${maxAgeSeconds}`,
    'HttpOnly',
    'SameSite=Strict',
  ];
  return [...parts, ...(isSecure(request) ? ['Secure'] : [])].join('; ');
}

/** A client that claims to use `https` without doing so only keeps its own browser from sending the cookie. */
function isSecure({ protocol, headers }: FastifyRequest): boolean {
  return protocol === 'https' || headers['x-forwarded-proto'] === 'https';
}

function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
