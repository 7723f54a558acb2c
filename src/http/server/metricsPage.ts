/** Serves `/metrics` to those who may read it: it tells of all callers together, and so is not for just any of them. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { GatewayError } from '../../errors.js';
import { sendAuthError } from '../auth/authErrors.js';
import type { Caller } from '../auth/caller.js';
import { type ProvidedCredential, readCredentialFromHeaders } from '../auth/providedCredential.js';

/** `callers`: who may read the whole account. `open`: whoever reaches the address. `off`: nobody. */
export type MetricsAccess = 'callers' | 'open' | 'off';

/** Takes the address that the credential came from, and refuses it after too many failed logins there. */
export type AuthenticateAt = (credential: ProvidedCredential, address: string) => Caller | Promise<Caller>;

export interface MetricsPageOptions {
  access: Exclude<MetricsAccess, 'off'>;
  authenticate: AuthenticateAt;
  /** In Prometheus's text format. */
  render(): Promise<string>;
}

export type MetricsPage = (
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
) => Promise<void>;

export function createMetricsPage({ access, authenticate, render }: MetricsPageOptions): MetricsPage {
  async function refuse(request: IncomingMessage): Promise<GatewayError | undefined> {
    if (access === 'open') return undefined;
    try {
      return accessErrorFor(
        await authenticate(readCredentialFromHeaders(request.headers), request.socket.remoteAddress ?? ''),
      );
    } catch (error) {
      if (error instanceof GatewayError) return error;
      throw error;
    }
  }

  return async (request, response, requestId) => {
    const refusal = await refuse(request);
    if (refusal) return sendAuthError(response, refusal, requestId);
    const text = await render();
    response.writeHead(200, {
      'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
      'Cache-Control': 'no-store',
    });
    response.end(text);
  };
}

/** Calls and bytes speak of the whole gateway: who is held to a part of the account is not told of them. */
function accessErrorFor({ scopes, organizationIds, credential }: Caller): GatewayError | undefined {
  if (credential !== undefined) {
    return new GatewayError('FORBIDDEN', 'No platform credential reads the metrics; set METRICS=open.');
  }
  if (scopes.has('read') && organizationIds === undefined) return undefined;
  return new GatewayError('FORBIDDEN', 'Metrics need the scope "read" over all organizations.');
}
