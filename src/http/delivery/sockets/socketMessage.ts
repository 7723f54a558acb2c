/** Reads the messages that clients send with the protocol `graphql-transport-ws`. Pure. */
import type { RawData } from 'ws';
import type { OperationParameters } from '../../../graphql/limits/admitOperation.js';
import { isRecord, toRecord } from '../../../lib/records.js';
import { hasValidTypes, VALID_TYPES } from '../../requests/operationRequest.js';
import { MAX_JSON_LEVELS, parseJson } from '../../requests/parseJson.js';

type Message =
  | { type: 'connection_init'; payload: Record<string, unknown> | undefined }
  | { type: 'ping'; payload: Record<string, unknown> | undefined }
  | { type: 'pong' }
  | { type: 'subscribe'; id: string; payload: OperationParameters }
  | { type: 'complete'; id: string };

/** Clients return the payload of a heartbeat. A longer one, with the cursors of many subscriptions, counts as a message. */
const MAX_PONG_BYTES = 4096;

/** Whether the message is the response to a ping message. Long messages are not parsed. */
export function isPong(data: RawData): boolean {
  const text = Array.isArray(data) || data.byteLength > MAX_PONG_BYTES ? '' : String(data);
  try {
    return (parseJson(text) as { type?: unknown } | null)?.type === 'pong';
  } catch {
    return false;
  }
}

/** A string if the text is not a message of a client: the reason, without content of the message. */
export function parseMessage(text: string): Message | string {
  let message: unknown;
  try {
    message = parseJson(text);
  } catch {
    return `not JSON, or more than ${MAX_JSON_LEVELS} levels.`;
  }
  if (!isRecord(message)) return 'not a JSON object.';
  const { type, id, payload } = message;
  switch (type) {
    case 'connection_init':
    case 'ping':
    case 'pong':
      if (payload != null && !isRecord(payload)) return 'payload must be an object.';
      return { type, payload: payload ?? undefined };
    case 'complete':
      return isId(id) ? { type, id } : INVALID_ID;
    case 'subscribe':
      if (!isId(id)) return INVALID_ID;
      return isOperation(payload) ? { type, id, payload } : explainPayload(payload);
    default:
      return 'type is missing or unknown.';
  }
}

const INVALID_ID = 'id must be a string, and not empty.';

function isOperation(payload: unknown): payload is OperationParameters {
  if (!isRecord(payload) || !hasValidTypes(payload)) return false;
  const { query, documentId, extensions } = payload;
  return query != null || documentId != null || hasHash(extensions);
}

function explainPayload(payload: unknown): string {
  if (!isRecord(payload)) return 'payload must be an object.';
  return hasValidTypes(payload) ? 'payload.query is missing.' : `payload: ${VALID_TYPES}`;
}

/** Whether the hash of a document replaces its text. It is checked when the operation is admitted. */
function hasHash(extensions: unknown): boolean {
  return toRecord(extensions)['persistedQuery'] != null;
}

function isId(id: unknown): id is string {
  return typeof id === 'string' && id !== '';
}
