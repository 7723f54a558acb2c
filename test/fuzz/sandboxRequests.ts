/** Mutated requests to the sandbox: each of its endpoints with unusual ids, queries, bodies and credentials. */
import fc from 'fast-check';
import { endpointTable } from '../../src/sandbox/server/requestHandler.js';
import {
  deepJson,
  encode,
  type MutatedRequest,
  mangled,
  mangledBytes,
  oddHeader,
  oddMethod,
  oddText,
  oddValue,
} from './mutatedRequest.js';

const segment = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 40 }).map(String) },
  fc.constantFrom(
    '0',
    '-1',
    '9223372036854775807',
    '9223372036854775808',
    '1e3',
    '01',
    '.',
    '..',
    '%',
    '%zz',
    '%c0%af',
    '%2e%2e',
    '1%2f2',
    '9'.repeat(300),
  ),
  oddText.map(encode),
);

const parameterValue = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('1', '1000', '60', 'true', 'false', '1773480000', '946688461', ''),
  },
  fc.constantFrom(
    '-1',
    '99999999999999999999',
    '1.5',
    'NaN',
    '1e9',
    '2026-03-14',
    'TRUE',
    '%',
    '1&',
    '946688460',
  ),
  oddText.map(encode),
);

const levels = JSON.stringify({
  levels: [
    { display_name: 'Low', upper_limit: 10, output_actions: [{ type: 'set_up', channel_num: 1 }] },
    { display_name: 'High', upper_limit: 20, sample_actions: [{ type: 'pause', stream_id: 1 }] },
  ],
});
const attributes = JSON.stringify({ attributes: [{ id: 1, parent_id: 1, display_name: 'a', value: 'b' }] });

const oddBody = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(levels, attributes).chain(mangled) },
  { weight: 4, arbitrary: oddValue.map((odd) => JSON.stringify({ levels: odd, attributes: odd })) },
  { weight: 4, arbitrary: oddValue.map((odd) => JSON.stringify({ levels: [odd], attributes: [odd] })) },
  {
    weight: 4,
    arbitrary: fc
      .tuple(
        fc.constantFrom(
          'id',
          'parent_id',
          'value',
          'upper_limit',
          'false_alarm_filter',
          'sample_actions',
          'notification_actions',
          'output_actions',
          'transmission_interval',
          'display_name',
          '__proto__',
        ),
        oddValue,
      )
      .map(([name, odd]) => {
        const member = `${JSON.stringify(name)}:${JSON.stringify(odd)}`;
        return `{"levels":[{"display_name":"x","upper_limit":1,${member}}],"attributes":[{"id":1,"parent_id":1,"value":"x",${member}}]}`;
      }),
  },
  { weight: 1, arbitrary: deepJson },
  { weight: 1, arbitrary: fc.constantFrom('', '\ufeff{}', `{"attributes":"${'x'.repeat(1_100_000)}"}`) },
);

const missingBytes = fc.oneof({ weight: 40, arbitrary: fc.constant(0) }, fc.constantFrom(1, 1000));

function authorization(token: string): fc.Arbitrary<[string, string]> {
  return fc.oneof(
    { weight: 20, arbitrary: fc.constant<[string, string]>(['Authorization', `Bearer ${token}`]) },
    mangled(token)
      .map((odd) =>
        Buffer.from(odd)
          .toString('latin1')
          .replace(/[^\x21-\x7e\xa0-\xff]/g, '?'),
      )
      .map((odd): [string, string] => ['Authorization', `Bearer ${odd}`]),
    fc.constantFrom<[string, string]>(
      ['Authorization', 'Bearer'],
      ['Authorization', ''],
      ['Authorization', 'Basic x'],
    ),
  );
}

/** A request to an endpoint of the table, with a mostly valid credential. */
function toEndpoint(token: string): fc.Arbitrary<MutatedRequest> {
  return fc.constantFrom(...endpointTable).chain(({ method, path, parameters, bodySchema }) => {
    const names = Object.keys(parameters).filter((name) => !path.includes(`{${name}}`));
    const query = fc.tuple(...names.map((name) => parameterValue.map((value) => `${name}=${value}`)));
    return fc.record({
      method: fc.oneof({ weight: 30, arbitrary: fc.constant(method) }, oddMethod),
      path: fc
        .tuple(segment, query)
        .map(([id, pairs]) => `${path.replace(/\{\w+\}/g, id)}?${pairs.join('&')}`),
      headers: fc
        .tuple(authorization(token), fc.array(oddHeader, { maxLength: 2 }))
        .map(([first, more]) => [first, ...more]),
      body: bodySchema === undefined ? fc.constant(Buffer.alloc(0)) : oddBody.chain(mangledBytes),
      missingBytes,
    });
  });
}

const grants = ['grant_type=client_credentials', '{"grant_type":"client_credentials"}'];

/** A request for a token. */
const toTokenEndpoint: fc.Arbitrary<MutatedRequest> = fc.record({
  method: fc.oneof({ weight: 20, arbitrary: fc.constant('POST') }, oddMethod),
  path: fc.constantFrom(
    '/auth/token',
    '/auth/token',
    '/auth/token?grant_type=client_credentials',
    '/auth/token/',
  ),
  headers: fc
    .tuple(mangled('sandbox:sandbox'), fc.array(oddHeader, { maxLength: 2 }))
    .map(([odd, more]) => [['Authorization', `Basic ${Buffer.from(odd).toString('base64')}`], ...more]),
  body: fc
    .oneof(
      fc.constantFrom(...grants).chain(mangled),
      oddValue.map((odd) => JSON.stringify(odd)),
      deepJson,
    )
    .chain(mangledBytes),
  missingBytes,
});

export function sandboxRequest(token: string): fc.Arbitrary<MutatedRequest> {
  return fc.oneof({ weight: 9, arbitrary: toEndpoint(token) }, { weight: 2, arbitrary: toTokenEndpoint });
}
