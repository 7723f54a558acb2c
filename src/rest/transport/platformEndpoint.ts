/** Names of REST endpoints and of the families they belong to. */

export interface PlatformEndpoint {
  method: 'GET' | 'POST';
  /** Path template, for example `/v2.0/site/{siteId}`. */
  template: string;
}

/** Limits apply per method and template: reading and writing custom attributes are two endpoints. */
export function toEndpointName({ method, template }: PlatformEndpoint): string {
  return `${method} ${template}`;
}

/** By template. There are about fifty, and each call needs its family several times. */
const families = new Map<string, string>();

/** First segment of the path after the version, if any: `site`, `device`, `stream`, `sample`, …, `auth`. */
export function toEndpointFamily(template: string): string {
  const cached = families.get(template);
  if (cached !== undefined) return cached;
  const family = /^(?:\/v\d+(?:\.\d+)?)?\/([^/?]+)/.exec(template)?.[1] ?? '';
  families.set(template, family);
  return family;
}

/** The token endpoint is a separate family with separate limits. */
export function isAuthEndpoint({ template }: PlatformEndpoint): boolean {
  return toEndpointFamily(template) === 'auth';
}
