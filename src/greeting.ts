/** What a start prints: where things are, and one query to paste. */

const query = '{ sites(first: 3) { totalCount nodes { name devices { serialNumber channels { name } } } } }';

export function gatewayGreeting(
  url: string,
  platform: { url: string; key: string },
  isSandbox: boolean,
  isOpen: boolean,
): string {
  const upstream = isSandbox
    ? `Sandbox    ${platform.url}   (key ${platform.key}; invented data, fresh every few seconds)`
    : `Platform   ${platform.url}`;
  const credential = isOpen ? '' : ` -H 'authorization: …'`;
  return `
Fieldgraph is ready.

  Explorer   ${url}/
  GraphQL    ${url}/graphql
  ${upstream}

Paste this into the explorer:

  ${query}

or into a shell:

  curl ${url}/graphql -H 'content-type: application/json'${credential} -d '${JSON.stringify({ query })}'

Ctrl-C stops it.`;
}

export function sandboxGreeting(url: string, { key, secret }: { key: string; secret: string }): string {
  return `
The sandbox is ready.

  REST API   ${url}/v2.0
  OpenAPI    ${url}/openapi.json

A token, to be sent as \`Authorization: Bearer …\`:

  curl -u '${key}:${secret}' ${url}/auth/token -d grant_type=client_credentials

Ctrl-C stops it.`;
}
