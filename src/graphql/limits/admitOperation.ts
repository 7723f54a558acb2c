/** Reads what a caller sent, over HTTP or websocket, as far as deciding needs it, and lets it in or not. */
import type { OperationTypeNode } from 'graphql';
import { GatewayError } from '../../errors.js';
import type { DocumentStore } from '../documents/documentStore.js';
import type { OperationCost, OperationGuard } from './operationGuard.js';

/** The parameters of GraphQL over HTTP, as they came. */
export interface OperationParameters {
  query?: unknown;
  operationName?: unknown;
  variables?: unknown;
  extensions?: unknown;
}

export interface AdmissionPolicy {
  guard: OperationGuard;
  documents: DocumentStore;
}

export interface AdmittedOperation {
  /** Undefined where there is none: whoever executes it will say so. */
  source: string | undefined;
  /** The same where it can't be told. */
  kind: `${OperationTypeNode}` | undefined;
  cost: OperationCost | undefined;
}

/** Whether the way that an operation came by can carry a subscription. */
export interface AdmissionWay {
  takesSubscriptions: boolean;
}

const overHttp: AdmissionWay = { takesSubscriptions: false };

/** Throws the code of what keeps it out. Parameters that are not what they should be are left to whoever executes them. */
export function admitOperation(
  { guard, documents }: AdmissionPolicy,
  parameters: OperationParameters,
  { takesSubscriptions }: AdmissionWay = overHttp,
): AdmittedOperation {
  const hash = readHash(parameters.extensions);
  const text = toOptionalString(parameters.query);
  if (text === undefined && hash === undefined)
    return { source: undefined, kind: undefined, cost: undefined };
  documents.checkTrusted({ text, hash });
  const source = text ?? documents.get(hash ?? '');
  const checked =
    source === undefined
      ? undefined
      : guard.check({
          source,
          operationName: toOptionalString(parameters.operationName),
          variables: toRecord(parameters.variables),
        });
  if (checked?.kind === 'subscription' && !takesSubscriptions) throw subscriptionOverHttp();
  return { source, kind: checked?.kind, cost: checked?.cost };
}

function subscriptionOverHttp(): GatewayError {
  return new GatewayError(
    'SUBSCRIPTION_OVER_HTTP',
    'Subscriptions are served over a websocket at this same address: connect with the protocol graphql-transport-ws.',
  );
}

/** The hash that stands for a document, of `extensions.persistedQuery`. */
function readHash(extensions: unknown): string | undefined {
  return toOptionalString(toRecord(toRecord(extensions)['persistedQuery'])['sha256Hash']);
}

function toOptionalString(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
