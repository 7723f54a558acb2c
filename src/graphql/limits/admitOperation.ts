/** Admits or refuses an operation before Apollo Server handles it, over HTTP and websocket. */
import type { OperationTypeNode } from 'graphql';
import { GatewayError } from '../../errors.js';
import { toRecord } from '../../lib/records.js';
import type { DocumentOrigin, DocumentStore } from '../documents/documentStore.js';
import { MAX_DOCUMENT_ID_CHARACTERS } from '../documents/trustedDocuments.js';
import type { OperationCost, OperationGuard } from './operationGuard.js';

/** The parameters of GraphQL over HTTP, as received. Nothing is validated yet. */
export interface OperationParameters {
  query?: unknown;
  /** The id of a trusted document (GraphQL over HTTP, "Persisted Documents"). */
  documentId?: unknown;
  operationName?: unknown;
  variables?: unknown;
  extensions?: unknown;
}

export interface AdmissionPolicy {
  guard: OperationGuard;
  documents: DocumentStore;
}

/** Facts about an operation that need no execution. */
export interface OperationSummary {
  /** Undefined if the document has a syntax error or no operation to run. */
  kind: `${OperationTypeNode}` | undefined;
  /** Shortened; undefined for an anonymous operation. */
  name: string | undefined;
  cost: OperationCost | undefined;
  /** The origin and the SHA-256 of the document; undefined like `kind`. */
  document: DocumentOrigin | undefined;
  documentHash: string | undefined;
}

interface AdmittedOperation {
  /** The text of the document; undefined if there is none. Apollo Server then reports the error. */
  source: string | undefined;
  summary: OperationSummary;
}

interface AdmissionOptions {
  supportsSubscriptions: boolean;
}

const UNKNOWN: OperationSummary = {
  kind: undefined,
  name: undefined,
  cost: undefined,
  document: undefined,
  documentHash: undefined,
};
/** Longer names are truncated in the log and in traces. */
const MAX_LOGGED_NAME_CHARACTERS = 128;

/**
 * Throws a `GatewayError` with the code of the refusal, and with the name of the operation if it is known. Invalid
 * parameters are ignored here if Apollo Server refuses them.
 */
export function admitOperation(
  policy: AdmissionPolicy,
  parameters: OperationParameters,
  options: AdmissionOptions,
): AdmittedOperation {
  try {
    return admit(policy, parameters, options);
  } catch (error) {
    if (error instanceof GatewayError) error.operation = findName(parameters);
    throw error;
  }
}

/** Maximum characters that are searched for the name of a refused operation. */
const MAX_SEARCHED_CHARACTERS = 10_000;

/** The name in the parameters, or else the first one in the text, which is not parsed. For the log. */
function findName({ operationName, query }: OperationParameters): string | undefined {
  const text = toOptionalString(query)?.slice(0, MAX_SEARCHED_CHARACTERS) ?? '';
  const [, first] = /\b(?:query|mutation|subscription)[ \t\r\n]+([_A-Za-z]\w*)/.exec(text) ?? [];
  const name = toOptionalString(operationName) ?? first;
  // Other strings can contain characters that change how a terminal shows the log.
  return name !== undefined && /^[_A-Za-z]\w*$/.test(name)
    ? name.slice(0, MAX_LOGGED_NAME_CHARACTERS)
    : undefined;
}

function admit(
  { guard, documents }: AdmissionPolicy,
  parameters: OperationParameters,
  { supportsSubscriptions }: AdmissionOptions,
): AdmittedOperation {
  const hash = readHash(parameters.extensions);
  const text = toOptionalString(parameters.query);
  const id = readDocumentId(parameters.documentId);
  if (id !== undefined && (text ?? hash) !== undefined) {
    throw new GatewayError('BAD_REQUEST', 'Send documentId without query and extensions.persistedQuery.');
  }
  if ((text ?? hash ?? id) === undefined) return { source: undefined, summary: UNKNOWN };
  const source = documents.find({ text, hash, id });
  if (source === undefined) {
    // Apollo Server reports an unknown hash of a request over HTTP. Clients recognise its message, which is the same here.
    if (supportsSubscriptions) throw new GatewayError('PERSISTED_QUERY_NOT_FOUND', 'PersistedQueryNotFound');
    return { source, summary: UNKNOWN };
  }
  const checked = guard.check({
    source,
    operationName: toOptionalString(parameters.operationName),
    variables: toRecord(parameters.variables),
  });
  if (checked === undefined) return { source, summary: UNKNOWN };
  if (checked.kind === 'subscription' && !supportsSubscriptions) {
    throw new GatewayError(
      'SUBSCRIPTION_OVER_HTTP',
      'Subscriptions need a websocket with the protocol graphql-transport-ws, or the header ' +
        'Accept: text/event-stream, or Accept: multipart/mixed;subscriptionSpec=1.0.',
    );
  }
  const { kind, name, cost, hash: documentHash } = checked;
  if (hash !== undefined && hash !== documentHash)
    throw new GatewayError('BAD_REQUEST', 'provided sha does not match query');
  const document = documents.originOf(documentHash, text !== undefined);
  const summary = { kind, name: name?.slice(0, MAX_LOGGED_NAME_CHARACTERS), cost, document, documentHash };
  return { source, summary };
}

/**
 * The SHA-256 hash of a persisted document, from `extensions.persistedQuery`. Throws BAD_REQUEST for another version of the
 * protocol, and for a hash that is not a string: Apollo Server would convert it to one, and execute a document that was
 * not checked here.
 */
function readHash(extensions: unknown): string | undefined {
  const { persistedQuery } = toRecord(extensions);
  if (!persistedQuery) return undefined;
  const { version, sha256Hash: hash } = toRecord(persistedQuery);
  if (version !== 1) throw new GatewayError('BAD_REQUEST', 'Unsupported persisted query version');
  if (hash === undefined || typeof hash === 'string') return toOptionalString(hash);
  throw new GatewayError('BAD_REQUEST', 'extensions.persistedQuery.sha256Hash must be a string.');
}

/** An empty id counts as absent, like an empty `query`. */
function readDocumentId(id: unknown): string | undefined {
  if (id == null || id === '') return undefined;
  if (typeof id === 'string' && id.length <= MAX_DOCUMENT_ID_CHARACTERS) return id;
  const message = `documentId must be a string of at most ${MAX_DOCUMENT_ID_CHARACTERS} characters.`;
  throw new GatewayError('BAD_REQUEST', message);
}

function toOptionalString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
