/** Names the endpoints of the REST API for all that is kept per endpoint, and the families they belong to. */

export interface Endpoint {
  method: 'GET' | 'POST';
  /** The path with its places unfilled, for example `/v2.0/site/{siteId}`. */
  template: string;
}

/** Limits hold per method and template: reading custom attributes and setting them are two endpoints. */
export function toEndpointName({ method, template }: Endpoint): string {
  return `${method} ${template}`;
}

/** The first segment of the path behind the version, if any: `site`, `device`, `stream`, `sample`, …, `auth`. */
export function toEndpointFamily(template: string): string {
  return /^(?:\/v\d+(?:\.\d+)?)?\/([^/?]+)/.exec(template)?.[1] ?? '';
}

/** The token endpoint is a family of its own, with limits of its own. */
export function isAuthEndpoint({ template }: Endpoint): boolean {
  return toEndpointFamily(template) === 'auth';
}
