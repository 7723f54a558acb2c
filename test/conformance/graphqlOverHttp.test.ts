/**
 * The GraphQL-over-HTTP audits of `graphql-http`: no errors, and no warning that Apollo Server itself does not have.
 */
import { text } from 'node:stream/consumers';
import { ApolloServer, HeaderMap } from '@apollo/server';
import { serverAudits } from 'graphql-http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSchema } from '../../src/graphql/schema.js';
import { startTestGateway } from '../support/gateway.js';
import { startPlainServer } from '../support/http/edgeGateway.js';

const apollo = new ApolloServer({
  schema: createSchema(),
  introspection: true,
  stopOnTerminationSignals: false,
});
let gatewayUrl = '';
let apolloUrl = '';

/** Apollo Server with the same schema and minimal options. */
async function startApollo(): Promise<string> {
  await apollo.start();
  const { url } = await startPlainServer(async (request, response) => {
    const sent = await text(request);
    const isJson = request.headers['content-type']?.startsWith('application/json') ?? false;
    const headers = new HeaderMap();
    for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
    const executed = await apollo.executeHTTPGraphQLRequest({
      httpGraphQLRequest: {
        method: request.method ?? '',
        headers,
        search: new URL(request.url ?? '', 'http://host').search,
        body: isJson ? parseOr(sent, sent) : sent,
      },
      context: async () => ({}),
    });
    response.writeHead(executed.status ?? 200, Object.fromEntries(executed.headers));
    response.end(executed.body.kind === 'complete' ? executed.body.string : '');
  });
  return url;
}

function parseOr(json: string, otherwise: unknown): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return otherwise;
  }
}

function auditsOf(url: string) {
  return serverAudits({ url: `${url}/graphql`, fetchFn: fetch });
}

/** The failed audits, as lines with status, id and audit. */
async function findings(url: string): Promise<string[]> {
  const results = await Promise.all(auditsOf(url).map((audit) => audit.fn()));
  return results
    .filter(({ status }) => status !== 'ok')
    .map(({ status, id, name }) => `${status} ${id} ${name}`);
}

beforeAll(async () => {
  gatewayUrl = (await startTestGateway({ sandbox: { siteCount: 1 } })).url;
  apolloUrl = await startApollo();
});

afterAll(() => apollo.stop());

describe('GraphQL over HTTP', () => {
  it.each(auditsOf('http://unused').map(({ id, name }) => ({ id, name })))('$id: $name', async ({ id }) => {
    const audit = auditsOf(gatewayUrl).find((candidate) => candidate.id === id);
    expect(['ok', 'warn', 'notice']).toContain((await audit?.fn())?.status);
  });

  it('has no warning and no notice that Apollo Server with the same schema does not have', async () => {
    const [ours, theirs] = await Promise.all([findings(gatewayUrl), findings(apolloUrl)]);
    expect(ours.filter((finding) => !theirs.includes(finding))).toEqual([]);
  });

  it.each([
    ['JSON', 'application/json'],
    ['a stream', 'text/event-stream'],
    ['parts', 'multipart/mixed'],
  ])('ignores an empty name and null parameters of a GET that accepts %s', async (_, accept) => {
    const query = 'query Named { sites { nodes { id ... @defer { name } } } }';
    const search = `operationName=&variables=null&${new URLSearchParams({ query })}&extensions=null`;
    const headers = { Accept: accept, 'Apollo-Require-Preflight': 'true' };
    const response = await fetch(`${gatewayUrl}/graphql?${search}`, { headers });
    expect(response.headers.get('Content-Type')).toContain(accept);
    const body = await response.text();
    expect(body).toContain('"id":"Site:');
    expect(body).not.toContain('errors');
  });

  it('has only these three warnings, as Apollo Server: 400 where old clients expect a 200', async () => {
    const ours = await findings(gatewayUrl);
    expect(
      ours.filter((finding) => finding.startsWith('warn')).map((finding) => finding.slice(5, 9)),
    ).toEqual(['572B', 'FDE2', '7B9B']);
  });
});
