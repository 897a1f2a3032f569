import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import { SluiceError } from '../../core/errors.js';
import { openToAll } from '../access/access.js';
import type { AdminServer } from '../admin-server.js';

/** The files that `npm run build` makes. The path is the same from `src/` and from `dist/`. */
const DIRECTORY = fileURLToPath(new URL('../../../dist/dashboard', import.meta.url));

/** Content security policy: nothing from other sites, no inline scripts or styles, and no frames around the page. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves the dashboard at `/`. The names of its files contain a hash of their content, so browsers may cache them. */
export async function serveDashboard(server: AdminServer): Promise<void> {
  server.get('/', { config: { access: 'public' }, schema: { hide: true } }, async (_request, reply) => {
    reply.type('text/html; charset=utf-8').serializer((page: unknown) => String(page));
    reply.header('content-security-policy', CONTENT_SECURITY_POLICY);
    reply.header('cache-control', 'no-cache');
    return reply.send(await readPage());
  });
  const assets = join(DIRECTORY, 'assets');
  if (!existsSync(assets)) return;
  await server.register(async (files) => {
    openToAll(files);
    files.addHook('onRoute', (route) => {
      route.config = { ...route.config, rateLimit: false };
      route.schema = { ...route.schema, hide: true };
    });
    await files.register(fastifyStatic, {
      root: assets,
      prefix: '/assets/',
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
    });
  });
}

async function readPage(): Promise<string> {
  try {
    return await readFile(join(DIRECTORY, 'index.html'), 'utf8');
  } catch (error) {
    throw new SluiceError('not_found', 'The dashboard is not built. Run `npm run build`.', { cause: error });
  }
}
