/**
 * Keeps the session of each websocket, and looks at its credential again before every operation and every so
 * often: a connection may live for days, and ends when the credential does.
 */
import { GatewayError } from '../../errors.js';
import { hasSameRights } from '../auth/caller.js';
import type { CallerSession, OpenSession } from '../auth/callerSession.js';
import {
  hasCredential,
  type ProvidedCredential,
  readCredentialFromConnectionParams,
  readCredentialFromHeaders,
} from '../auth/providedCredential.js';
import type { SocketConnection } from './socketConnection.js';

export interface SocketSessions {
  /** Answers the session of a caller that is let in; any other connection is closed with the reason. */
  open(
    connection: SocketConnection,
    connectionParams: Readonly<Record<string, unknown>> | null | undefined,
  ): Promise<CallerSession | undefined>;
  /** The session, if the credential is still good; else the connection is closed. */
  get(connection: SocketConnection): Promise<CallerSession | undefined>;
}

export interface SocketSessionsOptions {
  openSession: OpenSession;
  /** Milliseconds between two looks. */
  recheckIntervalMs?: number | undefined;
}

interface SocketSession {
  credential: ProvidedCredential;
  address: string;
  session: CallerSession;
}

const RECHECK_INTERVAL_MS = 30_000;

/** Of the protocol, and of websockets: try again later. */
const closeCodes: Readonly<Record<string, number>> = { UNAUTHENTICATED: 4401, FORBIDDEN: 4403 };
const TRY_AGAIN_LATER = 1013;
const MAX_CLOSE_REASON_BYTES = 120;

export function createSocketSessions({
  openSession,
  recheckIntervalMs = RECHECK_INTERVAL_MS,
}: SocketSessionsOptions): SocketSessions {
  const held = new Map<SocketConnection, SocketSession>();

  function keep(connection: SocketConnection, one: SocketSession): void {
    held.set(connection, one);
    const timer = setInterval(() => void get(connection), recheckIntervalMs).unref();
    connection.socket.once('close', () => {
      clearInterval(timer);
      held.delete(connection);
      one.session.release();
    });
  }

  async function get(connection: SocketConnection): Promise<CallerSession | undefined> {
    const one = held.get(connection);
    if (one === undefined) return undefined;
    const refusal = await recheck(one, openSession);
    if (refusal === undefined) return one.session;
    connection.endSubscriptions(credentialExpired());
    closeWithError(connection, refusal);
    return undefined;
  }

  return {
    get,
    async open(connection, connectionParams) {
      const { socket, request } = connection;
      try {
        const inParams = readCredentialFromConnectionParams(connectionParams);
        const credential = hasCredential(inParams) ? inParams : readCredentialFromHeaders(request.headers);
        const address = request.socket.remoteAddress ?? '';
        const session = await openSession(credential, address);
        if (socket.readyState === socket.OPEN) keep(connection, { credential, address, session });
        else session.release();
        return session;
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        closeWithError(connection, error);
        return undefined;
      }
    },
  };
}

/** Why the caller has to go. Not being able to tell is no reason. */
async function recheck(
  { credential, address, session }: SocketSession,
  openSession: OpenSession,
): Promise<GatewayError | undefined> {
  try {
    const again = await openSession(credential, address);
    again.release();
    if (hasSameRights(again.caller, session.caller)) return undefined;
    return new GatewayError('UNAUTHENTICATED', 'What the credential may do has changed: connect again.');
  } catch (error) {
    return error instanceof GatewayError && error.code in closeCodes ? error : undefined;
  }
}

function credentialExpired(): GatewayError {
  return new GatewayError(
    'CREDENTIAL_EXPIRED',
    'The credential of this connection is no longer good. Connect again with another one.',
  );
}

function closeWithError(connection: SocketConnection, { code, message }: GatewayError): void {
  connection.close(closeCodes[code] ?? TRY_AGAIN_LATER, message.slice(0, MAX_CLOSE_REASON_BYTES));
}
