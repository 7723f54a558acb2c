/** The startup banner: the addresses, and a query to try. */

const query = '{ sites(first: 3) { totalCount nodes { name devices { serialNumber channels { name } } } } }';

export interface GatewayBanner {
  /** The address that the gateway listens on. */
  url: string;
  platform: { url: string; key: string };
  isSandbox: boolean;
  /** Whether callers need no credential. */
  isOpen: boolean;
}

export function gatewayBanner({ url, platform, isSandbox, isOpen }: GatewayBanner): string {
  const upstream = isSandbox
    ? `Sandbox    ${platform.url}   (key ${platform.key}; invented data, fresh every few seconds)`
    : `Platform   ${platform.url}`;
  const credential = isOpen ? '' : ` -H 'authorization: …'`;
  const { address, note } = toReachable(url);
  return `
Fieldgraph is ready.

  Explorer   ${address}/
  GraphQL    ${address}/graphql
  ${upstream}${note}

Paste this into the explorer:

  ${query}

or into a shell:

  curl ${address}/graphql -H 'content-type: application/json'${credential} -d '${JSON.stringify({ query })}'

Ctrl-C stops it.`;
}

export function sandboxBanner(url: string, { key, secret }: { key: string; secret: string }): string {
  return `
The sandbox is ready.

  REST API   ${url}/v2.0
  OpenAPI    ${url}/openapi.json

A token, to be sent as \`Authorization: Bearer …\`:

  curl -u '${key}:${secret}' ${url}/auth/token -d grant_type=client_credentials

Ctrl-C stops it.`;
}

/** Browsers can't open the addresses that stand for all interfaces, so the banner shows the loopback address instead. */
const loopbackOf: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' };

function toReachable(url: string): { address: string; note: string } {
  const { hostname, port } = new URL(url);
  const loopback = loopbackOf[hostname];
  if (loopback === undefined) return { address: url, note: '' };
  const note = `\n\nIt listens on all interfaces (${hostname}, port ${port}): other machines reach it by this machine's name or address.`;
  return { address: `http://${loopback}:${port}`, note };
}
