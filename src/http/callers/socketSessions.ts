/**
 * Keeps the session of each websocket, and looks at its credential again before every operation and every so
 * often: a connection may live for days, and ends when the credential does.
 */
import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import { GatewayError } from '../../errors.js';
import { hasSameRights } from './caller.js';
import type { CallerSession, OpenSession } from './callerSession.js';
import { fromConnectionParams, fromHeaders, type GivenCredential, isGiven } from './givenCredential.js';

export interface SocketSessions {
  /** Answers whether the caller is let in; where it is not, the connection is closed with the reason. */
  open(
    socket: WebSocket,
    upgrade: IncomingMessage,
    connectionParams: Readonly<Record<string, unknown>> | null | undefined,
  ): Promise<boolean>;
  /** The session, if the credential is still good; else the connection is closed. */
  find(socket: WebSocket): Promise<CallerSession | undefined>;
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
  const held = new Map<WebSocket, Held>();

  function keep(socket: WebSocket, one: Held): void {
    held.set(socket, one);
    const timer = setInterval(() => void find(socket), recheckMs).unref();
    socket.once('close', () => {
      clearInterval(timer);
      held.delete(socket);
      one.session.end();
    });
  }

  async function find(socket: WebSocket): Promise<CallerSession | undefined> {
    const one = held.get(socket);
    if (one === undefined) return undefined;
    const refusal = await recheck(one, openSession);
    if (refusal === undefined) return one.session;
    turnAway(socket, refusal);
    return undefined;
  }

  return {
    find,
    async open(socket, upgrade, connectionParams) {
      try {
        const inParams = fromConnectionParams(connectionParams);
        const given = isGiven(inParams) ? inParams : fromHeaders(upgrade.headers);
        const address = upgrade.socket.remoteAddress ?? '';
        const session = await openSession(given, address);
        if (socket.readyState === socket.OPEN) keep(socket, { given, address, session });
        else session.end();
        return true;
      } catch (error) {
        if (!(error instanceof GatewayError)) throw error;
        turnAway(socket, error);
        return false;
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

function turnAway(socket: WebSocket, { code, message }: GatewayError): void {
  socket.close(closeCodes[code] ?? TRY_AGAIN_LATER, message.slice(0, LONGEST_REASON));
}
