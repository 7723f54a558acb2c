/** The explorer's commands, as a shell reads them. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { type CurlRequest, createCurlCommand } from '../../explorer/curlCommand.js';

const request: CurlRequest = {
  url: 'http://127.0.0.1:4000/graphql',
  query: '{ __typename }',
  variables: '',
  credential: 'none',
  isExplaining: false,
};

/** The arguments that curl gets. */
function argumentsOf(changed: Partial<CurlRequest>): string[] {
  const command = createCurlCommand({ ...request, ...changed });
  const script = `curl() { printf '%s\\0' "$@"; }; ${command}`;
  const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8', env: { CREDENTIAL: 'a b$c' } });
  return stdout.split('\0').slice(0, -1);
}

const bodyOf = (changed: Partial<CurlRequest>) => JSON.parse(argumentsOf(changed).at(-1) ?? '') as unknown;

it('a command sends the operation and its variables unchanged, whatever characters they contain', () => {
  const query = `query Q($a: String) { search(text: "it's $HOME \`id\` \\\\ !") { name } } # 'é\n`;
  const variables = `{ "a": "'\\u0000'" }`;
  expect(bodyOf({ query, variables })).toEqual({ query, variables: { a: "'\u0000'" } });
  expect(argumentsOf({}).slice(0, -1)).toEqual([
    'http://127.0.0.1:4000/graphql',
    '-H',
    'content-type: application/json',
    '--data-binary',
  ]);
});

it('a command streams a subscription, and names the operation if there are several', () => {
  const query = 'subscription Live { sampleReceived { id } } query Other { __typename }';
  expect(argumentsOf({ query, isExplaining: true })).toEqual([
    '--no-buffer',
    request.url,
    '-H',
    'content-type: application/json',
    '-H',
    'accept: text/event-stream',
    '--data-binary',
    JSON.stringify({ query, operationName: 'Live' }),
  ]);
});

it('a command reads each kind of credential from the shell, and contains the switch "Explain"', () => {
  const optionsOf = (credential: CurlRequest['credential']) =>
    argumentsOf({ credential, isExplaining: true }).slice(3, -2);
  expect(optionsOf('token')).toEqual(['-H', 'authorization: Bearer a b$c', '-H', 'x-explain: 1']);
  expect(optionsOf('header')).toEqual(['-H', 'authorization: a b$c', '-H', 'x-explain: 1']);
  expect(optionsOf('pair')).toEqual(['-u', 'a b$c', '-H', 'x-explain: 1']);
});

it('a document with a syntax error is sent, and variables that are not JSON are refused', () => {
  expect(bodyOf({ query: '{ sites' })).toEqual({ query: '{ sites' });
  expect(() => createCurlCommand({ ...request, variables: '{ "a": }' })).toThrow(SyntaxError);
});
