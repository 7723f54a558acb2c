/** Raw streams over HTTP, for what the client libraries hide: headers, heartbeats, the bytes of an end. */
import { expect, vi } from 'vitest';
import { cleanUpAfterFile } from '../cleanUp.js';
import { WAIT } from './live.js';

export interface RawStream {
  status: number;
  headers: Headers;
  /** Everything received so far. */
  text(): string;
  /** Resolves when the response has ended. */
  ended: Promise<void>;
  close(): void;
}

interface RawStreamRequest {
  query: string;
  variables?: Readonly<Record<string, unknown>>;
  method?: 'GET' | 'POST';
  headers?: Readonly<Record<string, string>>;
}

export const SSE = { Accept: 'text/event-stream' };
export const MULTIPART = { Accept: 'multipart/mixed;subscriptionSpec=1.0, application/json' };

const open = new Set<AbortController>();

cleanUpAfterFile(() => {
  for (const controller of open) controller.abort();
  open.clear();
});

export async function openStream(url: string, request: RawStreamRequest): Promise<RawStream> {
  const { query, variables = {}, method = 'POST', headers = SSE } = request;
  const controller = new AbortController();
  open.add(controller);
  const search = `?query=${encodeURIComponent(query)}&variables=${encodeURIComponent(JSON.stringify(variables))}`;
  const response = await fetch(`${url}/graphql${method === 'GET' ? search : ''}`, {
    method,
    signal: controller.signal,
    // By GET, the streams of tests are those of browsers.
    headers:
      method === 'GET'
        ? { 'User-Agent': 'Mozilla/5.0', ...headers }
        : { 'Content-Type': 'application/json', ...headers },
    ...(method === 'POST' && { body: JSON.stringify({ query, variables }) }),
  });
  let text = '';
  const ended = (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  })().catch(() => undefined);
  return {
    status: response.status,
    headers: response.headers,
    text: () => text,
    ended,
    close: () => controller.abort(),
  };
}

/** The results and cursors of the events of an SSE stream in distinct connections mode. */
export function readEvents(text: string): { id: string | undefined; event: string; data: string }[] {
  return text.split('\n\n').flatMap((block) => {
    const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
    const event = field('event');
    return event === undefined ? [] : [{ id: field('id'), event, data: field('data') ?? '' }];
  });
}

/** Waits until this number of subscriptions is open: each receives what arrives from then on, once the poll has begun. */
export async function untilSubscribed(url: string, count: number): Promise<void> {
  await vi.waitFor(async () => {
    const page = await (await fetch(`${url}/metrics`)).text();
    const counts = [...page.matchAll(/^fieldgraph_subscriptions\{.*\} (\d+)$/gm)].map(([, open]) =>
      Number(open),
    );
    expect(counts.reduce((sum, open) => sum + open, 0)).toBe(count);
  }, WAIT);
}
