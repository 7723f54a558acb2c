/** Writes the open operation as a command for a POSIX shell. Pure. */
import { type DocumentNode, Kind, type OperationDefinitionNode, parse } from 'graphql';
import type { CredentialKind } from './credential.js';
import { hasCredential, isCredential } from './requests/joinHeaders.js';

export interface CurlRequest {
  /** The address of `/graphql`. */
  url: string;
  query: string;
  /** JSON; may be empty. */
  variables: string;
  /** The content of the headers editor, as JSON; may be empty. Its headers replace those of the command by name. */
  headers: string;
  credential: CredentialKind;
  isExplaining: boolean;
}

export interface CurlCommand {
  text: string;
  /** Whether it reads the credential from the variable `CREDENTIAL` of the shell, so that it contains no secret. */
  needsCredential: boolean;
}

const credentialOptions: Readonly<Record<CredentialKind, readonly string[]>> = {
  none: [],
  token: ['-H "authorization: Bearer $CREDENTIAL"'],
  pair: ['-u "$CREDENTIAL"'],
  header: ['-H "authorization: $CREDENTIAL"'],
};

/** A subscription is streamed as SSE. Throws a `SyntaxError` if the variables or the headers are not JSON. */
export function createCurlCommand(request: CurlRequest): CurlCommand {
  const { url, query, variables, isExplaining } = request;
  const operations = listOperations(query);
  const [first] = operations;
  const isSubscription = first?.operation === 'subscription';
  const body = {
    query,
    ...(variables.trim() !== '' && { variables: parseJson(variables, 'variables') }),
    ...(operations.length > 1 && { operationName: first?.name?.value }),
  };
  const ofEditor = toLowerCase(request.headers.trim() === '' ? {} : parseJson(request.headers, 'headers'));
  const headers = {
    'content-type': 'application/json',
    ...(isSubscription && { accept: 'text/event-stream' }),
    ...(isExplaining && !isSubscription && { 'x-explain': '1' }),
    ...ofEditor,
  };
  const credential = hasCredential(ofEditor) ? 'none' : request.credential;
  const parts = [
    `curl ${isSubscription ? '--no-buffer ' : ''}${quote(url)}`,
    ...credentialOptions[credential],
    ...Object.entries(headers).map(([name, value]) => toOption(name, value)),
    `--data-binary ${quote(JSON.stringify(body))}`,
  ];
  return {
    text: parts.join(' \\\n  '),
    needsCredential: credential !== 'none' || hasCredential(ofEditor),
  };
}

function toOption(name: string, value: string): string {
  return isCredential(name) ? `-H "${name}: $CREDENTIAL"` : `-H ${quote(`${name}: ${value}`)}`;
}

function parseJson(text: string, name: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The error for values of other types fits.
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new SyntaxError(`The ${name} are not a JSON object.`);
}

function toLowerCase(headers: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

/** None if the document has a syntax error, which the gateway reports. */
function listOperations(query: string): OperationDefinitionNode[] {
  let document: DocumentNode;
  try {
    document = parse(query, { noLocation: true });
  } catch {
    return [];
  }
  return document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
}

/** In single quotes a shell changes nothing. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
