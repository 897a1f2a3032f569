import { register } from 'node:module';

// Lets a worker thread read the TypeScript sources, since Node 20 cannot: `--import` this file.
register(new URL('./typescript-hooks.mjs', import.meta.url));
