/** The explorer's commands, as a shell reads them. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { type CurlRequest, createCurlCommand } from '../../explorer/curlCommand.js';

const request: CurlRequest = {
  url: 'http://127.0.0.1:4000/graphql',
  query: '{ __typename }',
  variables: undefined,
  headers: undefined,
  credential: 'none',
  isExplaining: false,
};

/** The arguments that curl gets. */
function argumentsOf(changed: Partial<CurlRequest>): string[] {
  const { text } = createCurlCommand({ ...request, ...changed });
  const script = `curl() { printf '%s\\0' "$@"; }; ${text}`;
  const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8', env: { CREDENTIAL: 'a b$c' } });
  return stdout.split('\0').slice(0, -1);
}

const bodyOf = (changed: Partial<CurlRequest>) => JSON.parse(argumentsOf(changed).at(-1) ?? '') as unknown;

it('a command sends the operation and its variables unchanged, whatever characters they contain', () => {
  const query = `query Q($a: String) { search(text: "it's $HOME \`id\` \\\\ !") { name } } # 'é\n`;
  const variables = { a: "'\u0000'" };
  expect(bodyOf({ query, variables })).toEqual({ query, variables });
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
  expect(argumentsOf({ query, operationName: 'Other' })).toEqual([
    request.url,
    '-H',
    'content-type: application/json',
    '--data-binary',
    JSON.stringify({ query, operationName: 'Other' }),
  ]);
});

it('a command reads each kind of credential from the shell, and contains the switch "Explain"', () => {
  const optionsOf = (credential: CurlRequest['credential']) =>
    argumentsOf({ credential, isExplaining: true }).slice(1, -2);
  const others = ['-H', 'content-type: application/json', '-H', 'x-explain: 1'];
  expect(optionsOf('token')).toEqual(['-H', 'authorization: Bearer a b$c', ...others]);
  expect(optionsOf('header')).toEqual(['-H', 'authorization: a b$c', ...others]);
  expect(optionsOf('pair')).toEqual(['-u', 'a b$c', ...others]);
});

it('a command has the headers of the editor instead of its own, and reads their credential from the shell', () => {
  const headers = { 'Content-Type': "it's", 'X-Number': 1 };
  const commandOf = (changed: Partial<CurlRequest>) =>
    createCurlCommand({ ...request, credential: 'token', ...changed });
  expect(argumentsOf({ headers }).slice(1, -2)).toEqual(['-H', "content-type: it's", '-H', 'x-number: 1']);
  for (const name of ['Authorization', 'X-API-Key']) {
    const secret = { headers: { [name]: 'secret' } };
    expect(argumentsOf({ ...secret, credential: 'pair' }).slice(3, -2)).toEqual([
      '-H',
      `${name.toLowerCase()}: a b$c`,
    ]);
    expect(commandOf(secret)).toMatchObject({
      text: expect.not.stringContaining('secret'),
      needsCredential: true,
    });
  }
  expect(commandOf({}).needsCredential).toBe(true);
  expect(commandOf({ credential: 'none' }).needsCredential).toBe(false);
});

it('a document with a syntax error is sent', () => {
  expect(bodyOf({ query: '{ sites' })).toEqual({ query: '{ sites' });
});
