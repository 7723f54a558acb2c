/** Additions to the gateway for tests of its edges: plain servers, free ports, requests to any address. */
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from '../../../src/lib/logger.js';
import { cleanUpAfterFile } from '../cleanUp.js';

const disposals: (() => Promise<unknown>)[] = [];

cleanUpAfterFile(async () => {
  await Promise.all(disposals.splice(0).map((dispose) => dispose()));
});

interface PlainServer {
  url: string;
  server: Server;
}

/** A server with one handler on a free port; closed with all its connections after the file's tests. */
export async function startPlainServer(handler: RequestListener): Promise<PlainServer> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  disposals.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

export interface GraphqlResult {
  data?: Record<string, unknown> | null;
  errors?: { message: string; extensions: Record<string, unknown> }[];
}

/** Runs one operation; accepts any status. */
export async function ask(
  url: string,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<GraphqlResult> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as GraphqlResult;
}

/** Waits until a condition is true; the test's own timeout bounds it. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
}

export interface LogLine {
  level: keyof Logger;
  fields: object;
  message: string;
}

/** A logger that records its lines. */
export function createRecordingLogger(): Logger & { lines: LogLine[] } {
  const lines: LogLine[] = [];
  const at = (level: keyof Logger) => (fields: object, message: string) => {
    lines.push({ level, fields, message });
  };
  return { lines, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
