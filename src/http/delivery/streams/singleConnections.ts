/**
 * The reserved and open connections of GraphQL over SSE in single connection mode: a PUT reserves one and answers its
 * token, a GET with the token opens it, and POST and DELETE with the token start and stop its operations.
 */
import { randomBytes } from 'node:crypto';
import { GatewayError } from '../../../errors.js';
import type { StreamConnection } from './streamConnection.js';

interface Reservation {
  connection: StreamConnection;
  /** Names the caller and its authorization. */
  owner: string;
  /** Ends the reservation if no GET follows. */
  timer: NodeJS.Timeout;
}

/** Milliseconds from a PUT to the GET that opens the connection. */
export const RESERVATION_MS = 30_000;
const TOKEN_BYTES = 24;

export class SingleConnections {
  readonly #reservations = new Map<string, Reservation>();
  readonly #reservationMs: number;

  constructor(reservationMs = RESERVATION_MS) {
    this.#reservationMs = reservationMs;
  }

  /** Returns the token of the connection, which nobody can guess. */
  reserve(owner: string, create: (onClose: () => void) => StreamConnection): string {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const connection = create(() => this.#delete(token));
    const timer = setTimeout(() => connection.close(), this.#reservationMs).unref();
    this.#reservations.set(token, { connection, owner, timer });
    return token;
  }

  /** The connection of a token, for its owner alone. Throws BAD_REQUEST for everybody else. */
  get(token: string, owner: string): StreamConnection {
    const found = this.#reservations.get(token);
    if (found === undefined || found.owner !== owner) throw createTokenError();
    return found.connection;
  }

  /** The connection of a token, to be opened. A token opens one connection. */
  open(token: string, owner: string): StreamConnection {
    const connection = this.get(token, owner);
    if (connection.isAttached())
      throw new GatewayError('BAD_REQUEST', 'This token is in use. Reserve another one.');
    clearTimeout(this.#reservations.get(token)?.timer);
    return connection;
  }

  #delete(token: string): void {
    clearTimeout(this.#reservations.get(token)?.timer);
    this.#reservations.delete(token);
  }
}

function createTokenError(): GatewayError {
  const message =
    'This process has no stream under this token. Reserve one with PUT, open it with GET within 30 s, and let all ' +
    'requests with the token reach the same process.';
  return new GatewayError('BAD_REQUEST', message);
}
