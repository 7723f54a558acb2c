/** Names the endpoints of the REST API for all that is kept per endpoint, and the families they belong to. */

export interface PlatformEndpoint {
  method: 'GET' | 'POST';
  /** The path with its places unfilled, for example `/v2.0/site/{siteId}`. */
  template: string;
}

/** Limits hold per method and template: reading custom attributes and setting them are two endpoints. */
export function toEndpointName({ method, template }: PlatformEndpoint): string {
  return `${method} ${template}`;
}

/** There are some fifty templates, and each call asks for its family several times. */
const families = new Map<string, string>();

/** The first segment of the path behind the version, if any: `site`, `device`, `stream`, `sample`, …, `auth`. */
export function toEndpointFamily(template: string): string {
  const known = families.get(template);
  if (known !== undefined) return known;
  const family = /^(?:\/v\d+(?:\.\d+)?)?\/([^/?]+)/.exec(template)?.[1] ?? '';
  families.set(template, family);
  return family;
}

/** The token endpoint is a family of its own, with limits of its own. */
export function isAuthEndpoint({ template }: PlatformEndpoint): boolean {
  return toEndpointFamily(template) === 'auth';
}
