const parsed = new WeakMap<object, URL>();

/**
 * The URL of a provider; do not modify it. Parsed once, because parsing takes microseconds and each request needs it
 * twice.
 */
export function baseUrl(provider: { readonly base_url: string }): URL {
  let url = parsed.get(provider);
  if (url === undefined) {
    url = new URL(provider.base_url);
    parsed.set(provider, url);
  }
  return url;
}
