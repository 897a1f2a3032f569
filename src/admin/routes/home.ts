import type { AdminServer } from '../admin-server.js';

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Sluice</title>
<h1>Sluice</h1>
<ul>
<li><a href="/docs">The API of this port</a>, and <a href="/openapi.json">its description</a>
<li><a href="/healthz/ready">Health</a>
<li><a href="/metrics">Metrics</a>
</ul>
</html>
`;

export function homeRoutes(server: AdminServer): void {
  server.get('/', { config: { access: 'public' }, schema: { hide: true } }, async (_request, reply) => {
    reply.type('text/html; charset=utf-8').serializer((page: unknown) => String(page));
    return reply.send(PAGE);
  });
}
