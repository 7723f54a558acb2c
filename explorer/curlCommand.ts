/** Writes the open operation as a command for a POSIX shell. Pure. */
import { type DocumentNode, Kind, type OperationDefinitionNode, parse } from 'graphql';
import type { CredentialKind } from './credential.js';
import { hasCredential, isCredential } from './requests/joinHeaders.js';

export interface CurlRequest {
  /** The address of `/graphql`. */
  url: string;
  query: string;
  /** The operation to execute, if the query has several. Without it, the first. */
  operationName?: string | undefined;
  variables: object | undefined;
  /** The content of the headers editor. Its headers replace those of the command by name. */
  headers: object | undefined;
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

/** A subscription is streamed as SSE. */
export function createCurlCommand(request: CurlRequest): CurlCommand {
  const { url, query, variables, isExplaining } = request;
  const operations = listOperations(query);
  const executed = operations.find(({ name }) => name?.value === request.operationName) ?? operations[0];
  const isSubscription = executed?.operation === 'subscription';
  const body = {
    query,
    ...(variables && { variables }),
    ...(operations.length > 1 && { operationName: executed?.name?.value }),
  };
  const ofEditor = toLowerCase(request.headers ?? {});
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

function toLowerCase(headers: object): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

/** An empty list if the document has a syntax error, which the gateway reports. */
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
