import type { ErrorDetail } from '../../core/errors.js';
import type { PluginEntry } from '../../core/settings.js';

/**
 * The mistakes of an endpoint that was set by the API: webhooks whose URL is under none of the allowed prefixes
 * (`webhooks.allowed_urls`). In the file any URL may stand. Paths are JSON pointers into the endpoint.
 */
export function webhookUrlMistakes(
  entries: readonly PluginEntry[],
  allowed: readonly string[],
): ErrorDetail[] {
  return entries.flatMap((entry, index) => {
    const { url } = entry.config;
    if (entry.plugin !== 'webhook' || typeof url !== 'string' || isAllowed(url, allowed)) return [];
    return [{ path: `/plugins/${index}/config/url`, message: "is under none of 'webhooks.allowed_urls'" }];
  });
}

/** Compared once parsed, so that neither a longer host name nor `..` slips under a prefix. */
function isAllowed(text: string, allowed: readonly string[]): boolean {
  const url = parse(text);
  if (url === undefined) return false;
  return allowed.some((prefix) => {
    const base = parse(prefix);
    if (base === undefined || base.origin !== url.origin) return false;
    const path = url.pathname + url.search;
    const start = base.pathname + base.search;
    return path.startsWith(start);
  });
}

function parse(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url === undefined || url.username !== '' || url.password !== '' ? undefined : url;
}
