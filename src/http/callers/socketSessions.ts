/**
 * Keeps the session of each websocket, and looks at its credential again before every operation and every so
 * often: a connection may live for days, and ends when the credential does.
 */
import { GatewayError } from '../../errors.js';
import type { SocketConnection } from '../delivery/socketConnection.js';
import { hasSameRights } from './caller.js';
import type { CallerSession, OpenSession } from './callerSession.js';
import { fromConnectionParams, fromHeaders, type GivenCredential, isGiven } from './givenCredential.js';

export interface SocketSessions {
  /** Answers the session of a caller that is let in; any other connection is closed with the reason. */
  open(
    connection: SocketConnection,
    connectionParams: Readonly<Record<string, unknown>> | null | undefined,
  ): Promise<CallerSession | undefined>;
  /** The session, if the credential is still good; else the connection is closed. */
  find(connection: SocketConnection): Promise<CallerSession | undefined>;
}

export interface SocketSessionsOptions {
  openSession: OpenSession;
  /** Milliseconds between two looks. */
  recheckMs?: number | undefined;
}

interface Held {
  given: GivenCredential;
  address: string;
  session: CallerSession;
}

const RECHECK_MS = 30_000;

/** Of the protocol, and of websockets: try again later. */
const closeCodes: Readonly<Record<string, number>> = { UNAUTHENTICATED: 4401, FORBIDDEN: 4403 };
const TRY_AGAIN_LATER = 1013;
const LONGEST_REASON = 120;

export function createSocketSessions({
  openSession,
  recheckMs = RECHECK_MS,
}: SocketSessionsOptions): SocketSessions {
  const held = new Map<SocketConnection, Held>();

  function keep(connection: SocketConnection, one: Held): void {
    held.set(connection, one);
    const timer = setInterval(() => void find(connection), recheckMs).unref();
    connection.socket.once('close', () => {
      clearInterval(timer);
      held.delete(connection);
      one.session.end();
    });
  }

  async function find(connection: SocketConnection): Promise<CallerSession | undefined> {
    const one = held.get(connection);
    if (one === undefined) return undefined;
    const refusal = await recheck(one, openSession);
    if (refusal === undefined) return one.session;
    connection.endSubscriptions(credentialExpired());
    turnAway(connection, refusal);
    return undefined;
  }

  return {
    find,
    async open(connection, connectionParams) {
      const { socket, request } = connection;
      try {
        const inParams = fromConnectionParams(connectionParams);
        const given = isGiven(inParams) ? inParams : fromHeaders(request.headers);
        const address = request.socket.remoteAddress ?? '';
        const session = await openSession(given, address);
        if (socket.readyState === socket.OPEN) keep(connection, { given, address, session });
        else session.end();
        return session;
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        turnAway(connection, error);
        return undefined;
      }
    },
  };
}

/** Why the caller has to go. Not being able to tell is no reason. */
async function recheck(
  { given, address, session }: Held,
  openSession: OpenSession,
): Promise<GatewayError | undefined> {
  try {
    const again = await openSession(given, address);
    again.end();
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

function turnAway(connection: SocketConnection, { code, message }: GatewayError): void {
  connection.close(closeCodes[code] ?? TRY_AGAIN_LATER, message.slice(0, LONGEST_REASON));
}
