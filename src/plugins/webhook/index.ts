import { createWebhookPlugin } from './plugin.js';

export const webhook = createWebhookPlugin(process.env);
