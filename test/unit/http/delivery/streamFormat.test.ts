/** The format of a stream by `Accept`, for the headers that clients send. */
import { expect, it } from 'vitest';
import { chooseStream } from '../../../../src/http/delivery/streamFormat.js';

it.each([
  ['EventSource and graphql-sse', 'text/event-stream', { format: 'sse', acceptsNoJson: true }],
  ['urql, subscriptions', 'text/event-stream, multipart/mixed', { format: 'sse', acceptsNoJson: true }],
  [
    'urql, queries',
    'application/graphql-response+json, application/graphql+json, application/json, text/event-stream, multipart/mixed',
    { format: 'sse', acceptsNoJson: false },
  ],
  [
    'Apollo Client, subscriptions',
    'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/graphql-response+json,application/json;q=0.9',
    { format: 'multipart', acceptsNoJson: false },
  ],
  [
    'Apollo Kotlin, subscriptions',
    'multipart/mixed;subscriptionSpec=1.0, application/graphql-response+json, application/json',
    { format: 'multipart', acceptsNoJson: false },
  ],
  [
    'Apollo Router',
    'multipart/mixed; boundary="graphql"; subscriptionSpec="1.0", application/json',
    { format: 'multipart', acceptsNoJson: false },
  ],
  ['incremental delivery', 'multipart/mixed;deferSpec=20220824, application/json', undefined],
  ['another version', 'multipart/mixed;subscriptionSpec=2.0', undefined],
  ['curl', '*/*', undefined],
  ['a client without the header', undefined, undefined],
  [
    'a preference',
    'text/event-stream;q=0.5, multipart/mixed;subscriptionSpec=1.0',
    { format: 'multipart', acceptsNoJson: true },
  ],
  ['a refusal', 'text/event-stream;q=0', undefined],
  ['capital letters', 'Text/Event-Stream; Q=1', { format: 'sse', acceptsNoJson: true }],
])('of %s', (_, accept, expected) => {
  expect(chooseStream(accept)).toEqual(expected);
});
