/** Starts what the tests of the edges need: gateways before any platform, and plain servers that misbehave. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll } from 'vitest';
import { type Gateway, type GatewayOptions, startGateway } from '../../src/gateway.js';
import { type Logger, silentLogger } from '../../src/lib/logger.js';
import type { Sandbox } from '../../src/sandbox/sandbox.js';

const disposals: (() => Promise<unknown>)[] = [];

afterAll(async () => {
  await Promise.all(disposals.splice(0).map((dispose) => dispose()));
});

/** Before a sandbox, or before whatever is at an address with a credential; stopped after the file's tests. */
export async function startEdgeGateway(
  platform: Sandbox | GatewayOptions['platform'],
  logger: Logger = silentLogger,
): Promise<Gateway> {
  const upstream = 'credentials' in platform ? { url: platform.url, ...platform.credentials[0] } : platform;
  const gateway = await startGateway({
    host: '127.0.0.1',
    port: 0,
    platform: upstream,
    channelAttribute: 'channel_id',
    logger,
  });
  disposals.push(() => gateway.stop());
  return gateway;
}

export interface PlainServer {
  url: string;
  server: Server;
}

/** A server of one handler on a free port; closed with all its connections after the file's tests. */
export async function startPlainServer(handler: RequestListener): Promise<PlainServer> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  disposals.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

/** A port that nobody listens on. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export interface GraphqlAnswer {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions: Record<string, unknown> }[];
}

/** Runs one operation; any status is an answer. */
export async function ask(
  url: string,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<GraphqlAnswer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as GraphqlAnswer;
}

/** Waits until something holds; the test's own timeout bounds it. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}
