/** A gateway to attack over HTTP and websocket, which records the calls to the platform. */
import { createClient } from 'graphql-ws';
import { expect } from 'vitest';
import { WebSocket } from 'ws';
import type { GatewayOptions } from '../../../src/gateway/gatewayOptions.js';
import { type GraphqlError, startTestGateway, type TestGateway } from '../gateway.js';

export interface AttackPayload {
  query: string;
  variables?: Record<string, unknown>;
  extensions?: Record<string, unknown>;
}

export type AskWay = 'POST' | 'websocket';

export interface AttackTarget extends TestGateway {
  /** The errors of an operation, by transport. */
  errorsOf(way: AskWay, payload: AttackPayload): Promise<GraphqlError[]>;
  /** Runs an attack; fails if it causes a REST call or prevents a normal caller's response. */
  attack<Result>(run: () => Promise<Result>): Promise<Result>;
}

export async function startAttackTarget(gateway: Partial<GatewayOptions> = {}): Promise<AttackTarget> {
  const target = await startTestGateway({ sandbox: { siteCount: 3 }, gateway });
  // So that neither a token nor a collection is fetched for the normal caller during an attack.
  await target.ask('{ sites { totalCount } }');

  return {
    ...target,
    errorsOf: async (way, payload) =>
      way === 'POST' ? postErrors(target.url, payload) : socketErrors(target.url, payload),
    async attack(run) {
      target.sandbox.calls.reset();
      const result = await run();
      expect(target.sandbox.calls.list()).toEqual([]);
      expect(await target.ask('{ sites { totalCount } }')).toEqual({ sites: { totalCount: 3 } });
      return result;
    },
  };
}

async function postErrors(url: string, payload: AttackPayload): Promise<GraphqlError[]> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    // An empty string stands for no query, because the websocket protocol requires a string.
    body: JSON.stringify({ ...payload, query: payload.query || undefined }),
  });
  const body = (await response.json()) as { data?: unknown; errors?: GraphqlError[] };
  // With data, it is a response with failed fields.
  if (body.errors && body.data === undefined && !isNotFound(body.errors)) expect(response.status).toBe(400);
  return body.errors ?? [];
}

/** Automatic persisted queries use status 200 for a missing query, by convention. */
function isNotFound([error]: readonly GraphqlError[]): boolean {
  return error?.extensions.code === 'PERSISTED_QUERY_NOT_FOUND';
}

/** Errors of one operation over a separate websocket. */
export async function socketErrors(url: string, payload: AttackPayload): Promise<GraphqlError[]> {
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
  });
  try {
    const errors: GraphqlError[] = [];
    for await (const { errors: found } of client.iterate({ ...payload })) {
      errors.push(...((found ?? []) as unknown as GraphqlError[]));
    }
    return errors;
  } catch (error) {
    if (Array.isArray(error)) return error;
    throw error;
  } finally {
    await client.dispose();
  }
}
