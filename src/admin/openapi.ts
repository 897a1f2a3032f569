import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import { openToAll } from './access/access.js';
import { SESSION_COOKIE } from './access/session-cookie.js';
import type { AdminServer } from './admin-server.js';
import { sharedSchemas } from './schemas/common.js';
import { sharedLogSchemas } from './schemas/logs.js';

/** Helmet's default policy makes browsers load the page's files over https, which this port does not support. */
const PAGE_POLICY =
  "default-src 'self'; base-uri 'self'; frame-ancestors 'self'; img-src 'self' data:; object-src 'none'; style-src 'self' 'unsafe-inline'";

/** Collects the schemas of the routes that are added after it. */
export async function describeApi(server: AdminServer): Promise<void> {
  for (const schema of [...sharedSchemas, ...sharedLogSchemas]) server.addSchema(schema);
  await server.register(swagger, {
    refResolver: { buildLocalReference: (schema, _base, _fragment, index) => String(schema.$id ?? index) },
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Sluice',
        version: '1',
        description:
          'Logs, feedback and administration. Keys of projects open what is below their project; admin keys open everything.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      tags: [
        { name: 'feedback', description: 'What people and systems say about answers.' },
        { name: 'logs', description: 'What was asked and answered.' },
        { name: 'judging', description: 'What people are asked about answers, and what they say.' },
        { name: 'exports', description: 'Training data.' },
        { name: 'guards', description: 'What guards would do, before they are enforced.' },
        { name: 'administration', description: 'Projects, keys, endpoints and plugins; with an admin key.' },
        { name: 'session', description: 'Signing in and out, for pages in a browser.' },
        { name: 'operation', description: 'For machines; without a key.' },
      ],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer' },
          header: { type: 'apiKey', in: 'header', name: 'x-api-key' },
          session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
        },
      },
      security: [{ bearer: [] }, { header: [] }, { session: [] }],
    },
  });
}

/** Serves the description at `/openapi.json`, and pages for it at `/docs` that load nothing from elsewhere. */
export async function serveApiDescription(server: AdminServer): Promise<void> {
  server.get('/openapi.json', { config: { access: 'public' }, schema: { hide: true } }, async () =>
    server.swagger(),
  );
  await server.register(async (pages) => {
    openToAll(pages);
    await pages.register(swaggerUi, { routePrefix: '/docs', staticCSP: PAGE_POLICY });
  });
}
