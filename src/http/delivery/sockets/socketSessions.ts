/**
 * Stores the session of each websocket. Verifies its credential again before each operation and periodically, because a
 * connection may live for days and must end when its credential becomes invalid.
 */
import { GatewayError } from '../../../errors.js';
import { recheckCaller } from '../../auth/caller.js';
import type { CallerSession, OpenSession } from '../../auth/callerSession.js';
import {
  hasCredential,
  type ProvidedCredential,
  readSocketCredential,
} from '../../auth/providedCredential.js';
import type { DeliveryOptions } from '../subscriptions.js';
import { type SocketConnection, TRY_AGAIN_LATER } from './socketConnection.js';
import { StaggeredInterval } from './staggeredInterval.js';

export type SocketSessions = ReturnType<typeof createSocketSessions>;

/** An open session, with the credential and the address that its next verification needs. */
export interface VerifiableSession {
  credential: ProvidedCredential;
  address: string;
  session: CallerSession;
}

/** Close codes of `graphql-transport-ws`. Other errors close with `TRY_AGAIN_LATER`. */
const closeCodes: Readonly<Record<string, number>> = { UNAUTHENTICATED: 4401, FORBIDDEN: 4403 };
const RETRY_AFTER_MS = 1000;

export function createSocketSessions({
  openSession,
  reportRefusal,
  recheckIntervalMs,
}: Pick<DeliveryOptions, 'openSession' | 'reportRefusal' | 'recheckIntervalMs'>) {
  const sessions = new Map<SocketConnection, VerifiableSession>();
  const checks = new StaggeredInterval(
    recheckIntervalMs,
    (connection: SocketConnection) => void get(connection),
  );

  /** Verifies the credential again. Closes the connection and resolves with undefined if it is no longer valid. */
  async function get(connection: SocketConnection): Promise<CallerSession | undefined> {
    const current = sessions.get(connection);
    if (current === undefined) return undefined;
    const refusal = await recheckCredential(current, openSession);
    if (refusal === undefined) return current.session;
    // A concurrent check of the same credential may already have closed the connection.
    if (connection.socket.readyState !== connection.socket.OPEN) return undefined;
    const { caller } = current.session;
    reportRefusal({ error: refusal, transport: 'websocket', caller, address: connection.address });
    connection.endSubscriptions(createCredentialExpiredError());
    closeWithError(connection, refusal);
    return undefined;
  }

  return {
    get,
    /** Releases the session of a closed connection. Call it when all its operations are cancelled. */
    close(connection: SocketConnection): void {
      checks.delete(connection);
      sessions.get(connection)?.session.release();
      sessions.delete(connection);
    },
    /** Authenticates the caller. Closes the connection and resolves with undefined if the caller is refused. */
    async open(
      connection: SocketConnection,
      connectionParams: Readonly<Record<string, unknown>> | null | undefined,
    ): Promise<CallerSession | undefined> {
      const { socket, request } = connection;
      const credential = readSocketCredential(connectionParams, request?.headers ?? {});
      try {
        const address = connection.caller;
        const session = await openSession(credential, address);
        if (socket.readyState === socket.OPEN) {
          sessions.set(connection, { credential, address, session });
          checks.add(connection);
        } else session.release();
        return session;
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        const hasNoCredential = !hasCredential(credential);
        reportRefusal({ error, transport: 'websocket', address: connection.address, hasNoCredential });
        closeWithError(connection, error);
        return undefined;
      }
    },
  };
}

/** Returns the error if the credential is no longer valid. Undefined if it cannot be verified now. */
export async function recheckCredential(
  { credential, address, session }: VerifiableSession,
  openSession: OpenSession,
): Promise<GatewayError | undefined> {
  return recheckCaller(session.caller, async () => {
    const again = await openSession(credential, address, true);
    again.release();
    return again.caller;
  });
}

/** The client may connect again at once, with another credential. */
export function createCredentialExpiredError(): GatewayError {
  return new GatewayError(
    'CREDENTIAL_EXPIRED',
    'The credential of this connection is no longer valid. Connect again with another one.',
    { retryAfterMs: RETRY_AFTER_MS },
  );
}

function closeWithError(connection: SocketConnection, { code, message }: GatewayError): void {
  connection.close(closeCodes[code] ?? TRY_AGAIN_LATER, message);
}
