/** An OTLP collector over HTTP that keeps the spans it receives as JSON. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterAll } from 'vitest';
import type { TracingSettings } from '../../../src/tracing/tracing.js';
import { WAIT_MS } from '../waiting.js';

interface WireValue {
  stringValue?: string;
  intValue?: string;
  doubleValue?: number;
  boolValue?: boolean;
}

interface WireAttribute {
  key: string;
  value: WireValue;
}

export interface WireSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: WireAttribute[];
  events?: { name: string; attributes: WireAttribute[] }[];
  status?: { code: number };
}

interface WireBatch {
  resourceSpans: { resource: { attributes: WireAttribute[] }; scopeSpans: { spans: WireSpan[] }[] }[];
}

interface ReceivedBatch {
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface TraceCollector {
  url: string;
  batches: ReceivedBatch[];
  /** All spans of the batches in JSON. */
  spans(): WireSpan[];
  /** Status of its responses; 200 by default. */
  status: number;
  /** Refuses the next request with 429 and this `Retry-After`, in seconds. */
  refuseNext(retryAfter: string): void;
  /** Closes the connection of the next request without a response. */
  resetNext(): void;
}

export async function startTraceCollector(): Promise<TraceCollector> {
  const batches: ReceivedBatch[] = [];
  let resetsNext = false;
  const refusals: string[] = [];
  const server = createServer(async (request, response) => {
    if (resetsNext) {
      resetsNext = false;
      request.socket.resetAndDestroy();
      return;
    }
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const sent = Buffer.concat(chunks);
    const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
    const retryAfter = refusals.shift();
    if (retryAfter !== undefined) {
      response.writeHead(429, { 'Retry-After': retryAfter }).end();
      return;
    }
    batches.push({ path: request.url ?? '', headers: request.headers, body });
    response.writeHead(collector.status, { 'Content-Type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const collector: TraceCollector = {
    url: `http://127.0.0.1:${port}/v1/traces`,
    batches,
    spans: () => batches.flatMap(({ body }) => spansOf(JSON.parse(body.toString()) as WireBatch)),
    status: 200,
    refuseNext: (retryAfter) => void refusals.push(retryAfter),
    resetNext() {
      resetsNext = true;
    },
  };
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return collector;
}

function spansOf({ resourceSpans }: WireBatch): WireSpan[] {
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

/** Settings that send each span at once. */
export function tracingTo(url: string, overrides: Partial<TracingSettings> = {}): TracingSettings {
  return {
    ...{ url, protocol: 'http/json', headers: {}, isCompressed: false, timeoutMs: 5000 },
    ...{
      resource: { 'service.name': 'test' },
      maxQueuedSpans: 10_000,
      maxQueuedBytes: 1e8,
      maxBatchSpans: 100,
      delayMs: 5,
      maxCloseMs: WAIT_MS,
    },
    sampler: { name: 'parentbased_always_on', ratio: 1 },
    ...overrides,
  };
}

/** The spans as an indented tree: name and attributes, equal subtrees counted, in an order of their own. */
export function toTree(spans: readonly WireSpan[]): string[] {
  const children = (parent: string) => spans.filter(({ parentSpanId }) => parentSpanId === parent);
  const known = new Set(spans.map(({ spanId }) => spanId));
  const roots = spans.filter(({ parentSpanId }) => !known.has(parentSpanId ?? ''));
  const render = (siblings: readonly WireSpan[], indent: string): string[] => {
    const trees = siblings.map((span) =>
      [`${indent}${describeSpan(span)}`, ...render(children(span.spanId), `${indent}  `)].join('\n'),
    );
    const counts = new Map<string, number>();
    for (const tree of trees) counts.set(tree, (counts.get(tree) ?? 0) + 1);
    return [...counts]
      .sort()
      .map(([tree, count]) => (count === 1 ? tree : tree.replace(/^ */, `$&${count} × `)));
  };
  return render(roots, '').flatMap((tree) => tree.split('\n'));
}

/** Attributes that differ from run to run. */
const VARIABLE = new Set([
  'fieldgraph.operation.cost',
  'server.address',
  'server.port',
  'http.response.body.size',
  'reason',
]);

function describeSpan({ name, kind, attributes, events = [], status }: WireSpan): string {
  const kinds = ['', 'internal', 'server', 'client'];
  const notes = events.map(({ name, attributes }) => `${name}(${describe(attributes)})`).sort();
  const failed = status?.code === 2 ? ' FAILED' : '';
  return [`${name} [${kinds[kind]}]${failed}`, describe(attributes), ...notes].join(' ').trim();
}

function describe(attributes: readonly WireAttribute[]): string {
  return attributes
    .filter(({ key }) => !VARIABLE.has(key))
    .map(({ key, value }) => `${key}=${Object.values(value)[0]}`)
    .join(' ');
}
