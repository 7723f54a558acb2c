/** Clients read the code of a refusal, whatever refused their request. */
import {
  ApolloClient,
  ApolloLink,
  CombinedGraphQLErrors,
  gql,
  HttpLink,
  InMemoryCache,
} from '@apollo/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { STILL_NOW_MS, startTestGateway, type TestGateway } from '../../support/gateway.js';

const NAMES = '{ sites(first: 1) { nodes { name } } }';
const COSTLY =
  '{ sites(first: 1000) { nodes { streams { samples(first: 1000) { nodes { sampledAt } } } } } }';

/** The error that Apollo Client reports. */
async function refusalOf(
  gateway: TestGateway,
  query: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const link = ApolloLink.from([new HttpLink({ uri: `${gateway.url}/graphql`, headers })]);
  const client = new ApolloClient({ cache: new InMemoryCache(), link });
  const error = await client.query({ query: gql(query), fetchPolicy: 'no-cache' }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return CombinedGraphQLErrors.is(error) ? error.errors[0]?.extensions : error;
}

describe('Apollo Client reads the code of a refusal', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    const clock = { now: () => STILL_NOW_MS };
    const callerLimits = { rate: { perSecond: 1, burst: 31 } };
    gateway = await startTestGateway({ sandbox: { siteCount: 1 }, gateway: { clock, callerLimits } });
  });

  it('by cost, by a limit of the document, and by validation', async () => {
    expect(await refusalOf(gateway, COSTLY)).toMatchObject({ code: 'COST_TOO_HIGH' });
    const aliases = Array.from({ length: 16 }, (_, index) => `a${index}: __typename`);
    expect(await refusalOf(gateway, `{ ${aliases.join(' ')} }`)).toMatchObject({ code: 'TOO_MANY_ALIASES' });
    expect(await refusalOf(gateway, '{ nothing }')).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED' });
  });

  it('by the rate limit, with the time after which to retry', async () => {
    for (let count = 0; count < 4; count++) await refusalOf(gateway, COSTLY);
    const limited = await refusalOf(gateway, NAMES);
    expect(limited).toMatchObject({ code: 'RATE_LIMITED', retryable: true });
    expect(limited).toHaveProperty('retryAfterMs', expect.any(Number));
  });
});
