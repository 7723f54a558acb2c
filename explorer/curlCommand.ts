/** Writes the open operation as a command for a POSIX shell. Pure. */
import { type DocumentNode, Kind, type OperationDefinitionNode, parse } from 'graphql';
import type { CredentialKind } from './credential.js';

export interface CurlRequest {
  /** The address of `/graphql`. */
  url: string;
  query: string;
  /** JSON; may be empty. */
  variables: string;
  credential: CredentialKind;
  isExplaining: boolean;
}

/** The command reads the credential from a variable of the shell, so that it contains no secret. */
const credentialOptions: Readonly<Record<CredentialKind, readonly string[]>> = {
  none: [],
  token: ['-H "authorization: Bearer $CREDENTIAL"'],
  pair: ['-u "$CREDENTIAL"'],
  header: ['-H "authorization: $CREDENTIAL"'],
};

/** A subscription is streamed as SSE. Throws a `SyntaxError` if the variables are not JSON. */
export function createCurlCommand(request: CurlRequest): string {
  const { url, query, variables, credential, isExplaining } = request;
  const operations = listOperations(query);
  const [first] = operations;
  const isSubscription = first?.operation === 'subscription';
  const body = {
    query,
    ...(variables.trim() !== '' && { variables: JSON.parse(variables) as unknown }),
    ...(operations.length > 1 && { operationName: first?.name?.value }),
  };
  const parts = [
    `curl ${isSubscription ? '--no-buffer ' : ''}${quote(url)}`,
    `-H ${quote('content-type: application/json')}`,
    ...(isSubscription ? [`-H ${quote('accept: text/event-stream')}`] : []),
    ...credentialOptions[credential],
    ...(isExplaining && !isSubscription ? [`-H ${quote('x-explain: 1')}`] : []),
    `--data-binary ${quote(JSON.stringify(body))}`,
  ];
  return parts.join(' \\\n  ');
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
