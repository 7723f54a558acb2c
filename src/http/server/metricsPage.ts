/** Serves `/metrics` to authorized callers, because the metrics cover the calls of all callers together. */
import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../errors.js';
import { findRefusal } from '../../graphql/scopes.js';
import type { OpenSession } from '../auth/callerSession.js';
import { hasCredential, readCredentialFromHeaders } from '../auth/providedCredential.js';
import { remoteAddressOf } from '../rateLimits/remoteAddress.js';
import { sendAuthError } from '../responses/sendError.js';
import type { RouteHandler } from './graphqlHandler.js';

/** `callers`: callers who may read the whole account. `open`: everybody. `off`: nobody. */
export type MetricsAccess = 'callers' | 'open' | 'off';

interface MetricsPageOptions {
  access: Exclude<MetricsAccess, 'off'>;
  openSession: OpenSession;
  /** Callers with their own platform credentials have no access. Their credentials are refused without a REST call. */
  usesCallerCredentials: boolean;
  /** Returns the metrics in Prometheus's text format. */
  render(): Promise<string>;
}

export function createMetricsPage(options: MetricsPageOptions): RouteHandler {
  const { access, openSession, usesCallerCredentials } = options;
  let rendering: Promise<Buffer> | undefined;

  /** Requests that arrive together share one buffer. Each unread response would have a copy of a string. */
  function render(): Promise<Buffer> {
    rendering ??= options
      .render()
      .then((text) => Buffer.from(text))
      .finally(() => {
        rendering = undefined;
      });
    return rendering;
  }

  async function findRequestRefusal(request: IncomingMessage): Promise<GatewayError | undefined> {
    if (access === 'open') return undefined;
    const credential = readCredentialFromHeaders(request.headers);
    if (usesCallerCredentials && hasCredential(credential)) {
      const message = 'Platform credentials do not give access to the metrics; set METRICS=open.';
      return new GatewayError('FORBIDDEN', message);
    }
    try {
      const session = await openSession(credential, remoteAddressOf(request));
      session.release();
      const reason = findRefusal('metrics', session.caller);
      return reason === undefined ? undefined : new GatewayError('FORBIDDEN', reason);
    } catch (error) {
      if (error instanceof GatewayError) return error;
      throw error;
    }
  }

  return async (request, response, requestId) => {
    const refusal = await findRequestRefusal(request);
    if (refusal) return sendAuthError(response, refusal, requestId);
    const page = await render();
    response.writeHead(200, {
      'Content-Type': 'text/plain; version=0.0.4; charset=utf-8',
      'Cache-Control': 'no-store',
    });
    response.end(page);
  };
}
