/** Contexts, samplers, the bounded queue of spans, and both encodings. */
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { readConfig } from '../../../src/config/config.js';
import { ByteWriter } from '../../../src/tracing/byteWriter.js';
import { jsonFormat, type OtlpFormat } from '../../../src/tracing/otlpJson.js';
import { protobufFormat } from '../../../src/tracing/otlpProtobuf.js';
import { createSampler } from '../../../src/tracing/sampler.js';
import { Span, SpanKind, SpanShape, truncate } from '../../../src/tracing/span.js';
import { SpanExporter } from '../../../src/tracing/spanExporter.js';
import {
  createTraceId,
  formatTraceId,
  parseTraceContext,
  toTraceHeaders,
} from '../../../src/tracing/traceContext.js';
import { startPlainServer } from '../../support/http/edgeGateway.js';
import { startTraceCollector, tracingTo } from '../../support/http/traceCollector.js';
import { WAIT_MS } from '../../support/waiting.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
/** The same as numbers with a sign. */
const TRACE_ID = { first: 0x0af76519, second: 0x16cd43dd, third: 0x8448eb21 | 0, fourth: 0x1c80319c };
const SPAN_ID = { high: 0xb7ad6b71 | 0, low: 0x69203331 };
const WAIT = { timeout: WAIT_MS, interval: 5 };

const SHAPE = new SpanShape('query', SpanKind.internal);

function span(overrides: Partial<Span> = {}): Span {
  const trace = { traceId: TRACE_ID, state: '' };
  const start = 1_773_480_600_000.25;
  const one = new Span(trace, undefined, SHAPE, start);
  return Object.assign(one, { ...SPAN_ID, endMs: 1_773_480_600_001.5 }, overrides);
}

describe('a trace context', () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, true],
    [`00-${TRACE}-${SPAN}-00`, false],
    [`00-${TRACE}-${SPAN}-03`, true],
    [`cc-${TRACE}-${SPAN}-01-what-the-future-will-be`, true],
  ])('is read from %s', (header, isSampled) => {
    const context = { traceId: TRACE_ID, spanId: SPAN_ID, isSampled, state: 'a=1' };
    expect(parseTraceContext(header, 'a=1')).toEqual(context);
  });

  it.each([
    undefined,
    '',
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01${'x'.repeat(1000)}`,
  ])('is not read from %s', (header) => {
    expect(parseTraceContext(header, 'a=1')).toBeUndefined();
  });

  it('is read from each digit', () => {
    const header = '00-0123456789abcdeffedcba9876543210-89abcdef01234567-01';
    const context = parseTraceContext(header, undefined);
    expect(context && toTraceHeaders(context)).toEqual({ traceparent: header });
  });

  it('drops a state that is too long or has other characters than ASCII', () => {
    const header = `00-${TRACE}-${SPAN}-01`;
    const states = ['a=1,'.repeat(200), 'a=ü', 'a=1\n'].map(
      (state) => parseTraceContext(header, state)?.state,
    );
    expect(states).toEqual(['', '', '']);
    expect(toTraceHeaders({ traceId: TRACE_ID, spanId: SPAN_ID, isSampled: true, state: '' })).toEqual({
      traceparent: header,
    });
  });
});

describe('a sampler', () => {
  it.each([
    ['always_on', [true, true, true]],
    ['always_off', [false, false, false]],
    ['parentbased_always_on', [true, true, false]],
    ['parentbased_always_off', [false, true, false]],
  ] as const)('%s decides without a parent, for a sampled and an unsampled one', (name, expected) => {
    const sampler = createSampler({ name, ratio: 1 });
    expect([undefined, true, false].map((parent) => sampler(TRACE_ID, parent))).toEqual(expected);
  });

  it('by ratio compares the last 48 bits of the id', () => {
    const part = 0xeb211c80319c / 2 ** 48;
    const decide = (ratio: number) => createSampler({ name: 'traceidratio', ratio })(TRACE_ID, undefined);
    expect([decide(part), decide(part + 2 ** -48)]).toEqual([false, true]);
  });

  it('by ratio takes that part of the traces', () => {
    const [none, some, all] = [0, 0.25, 1].map((ratio) => createSampler({ name: 'traceidratio', ratio }));
    const ids = Array.from({ length: 4000 }, createTraceId);
    expect(new Set(ids.map(formatTraceId)).size).toBe(4000);
    const count = (sampler: typeof some) => ids.filter((id) => sampler?.(id, undefined)).length;
    expect([count(none), count(all)]).toEqual([0, 4000]);
    expect(Math.abs(count(some) - 1000)).toBeLessThan(200);
  });
});

describe('spans that wait for the collector', () => {
  it('are bounded: further ones are dropped and counted', async () => {
    const collector = await startTraceCollector();
    const settings = tracingTo(collector.url, { maxQueuedSpans: 50, maxBatchSpans: 1000, delayMs: 600_000 });
    const exporter = new SpanExporter(settings, () => undefined);
    for (let count = 0; count < 1000; count++) exporter.add(span());
    expect(exporter.counts()).toEqual({ exported: 0, dropped: 950 });
    await exporter.close();
    expect(exporter.counts()).toEqual({ exported: 50, dropped: 950 });
    expect(collector.spans()).toHaveLength(50);
  });

  it('are not dropped where the queue is smaller than a batch, and fills slowly', async () => {
    const collector = await startTraceCollector();
    const { tracing } = readConfig({
      OTEL_EXPORTER_OTLP_ENDPOINT: new URL(collector.url).origin,
      OTEL_BSP_MAX_QUEUE_SIZE: '100',
      OTEL_BSP_SCHEDULE_DELAY: '600000',
    });
    const exporter = new SpanExporter(tracingTo(collector.url, tracing), () => undefined);
    for (let total = 40; total <= 400; total += 40) {
      for (let count = 0; count < 40; count++) exporter.add(span());
      // Less than a batch may wait.
      await vi.waitFor(() => expect(exporter.counts().exported).toBeGreaterThan(total - 50), WAIT);
    }
    await exporter.close();
    expect(exporter.counts()).toEqual({ exported: 400, dropped: 0 });
  });

  it('are bounded in bytes, with those that are being sent', async () => {
    const collector = await startTraceCollector();
    const maxQueuedBytes = 100_000;
    const settings = tracingTo(collector.url, { maxQueuedBytes, maxQueuedSpans: 100_000, maxBatchSpans: 10 });
    const exporter = new SpanExporter(settings, () => undefined);
    const reason = 'x'.repeat(1000);
    const events = Array.from({ length: 32 }, () => ({ name: 'plan', timeMs: 0, attributes: { reason } }));
    for (let count = 0; count < 1000; count++) exporter.add(span({ events }));
    // A span has about 35 KB, so that the third one passes the bound.
    expect(exporter.counts()).toEqual({ exported: 0, dropped: 997 });
    await exporter.close();
    for (let count = 0; count < 3; count++) exporter.add(span({ events }));
    await exporter.close();
    expect(exporter.counts()).toEqual({ exported: 6, dropped: 997 });
  });

  it('are sent as a batch when they have a megabyte', async () => {
    const collector = await startTraceCollector();
    const overrides = { maxBatchSpans: 10_000, delayMs: 600_000 };
    const exporter = new SpanExporter(tracingTo(collector.url, overrides), () => undefined);
    const events = [{ name: 'plan', timeMs: 0, attributes: { text: 'x'.repeat(100_000) } }];
    for (let count = 0; count < 10; count++) exporter.add(span({ events }));
    expect(collector.batches).toHaveLength(0);
    exporter.add(span({ events }));
    await vi.waitFor(() => expect(collector.spans()).toHaveLength(11), WAIT);
  });

  it('are sent again over a new connection when the collector has closed an idle one', async () => {
    const collector = await startTraceCollector();
    const exporter = new SpanExporter(tracingTo(collector.url, { maxBatchSpans: 1 }), () => undefined);
    exporter.add(span());
    await vi.waitFor(() => expect(exporter.counts().exported).toBe(1), WAIT);
    collector.resetNext();
    exporter.add(span());
    await vi.waitFor(() => expect(exporter.counts()).toEqual({ exported: 2, dropped: 0 }), WAIT);
  });

  it.each([
    ['soon', '0.01', { exported: 1, dropped: 0 }],
    ['later than they may take', '6', { exported: 0, dropped: 1 }],
  ])('are sent again %s if the collector asks for it', async (_name, retryAfter, counts) => {
    const collector = await startTraceCollector();
    collector.refuseNext(retryAfter);
    const exporter = new SpanExporter(tracingTo(collector.url, { maxBatchSpans: 1 }), () => undefined);
    exporter.add(span());
    await vi.waitFor(() => expect(exporter.counts()).toEqual(counts), WAIT);
    expect(collector.batches).toHaveLength(counts.exported);
  });

  it.each([
    ['', ['60']],
    [' with a date', [new Date(Date.now() + 3_600_000).toUTCString()]],
    [' when it refuses a batch for the second time', ['0.01', '60']],
  ])('wait as long as the collector asks for%s, but not at a stop', async (_, delays) => {
    const collector = await startTraceCollector();
    for (const seconds of delays) collector.refuseNext(seconds);
    const overrides = { maxBatchSpans: 1, delayMs: 5 };
    const exporter = new SpanExporter(tracingTo(collector.url, overrides), () => undefined);
    exporter.add(span());
    await vi.waitFor(() => expect(exporter.counts().dropped).toBe(1), WAIT);
    exporter.add(span());
    await wait(100);
    expect(exporter.counts()).toEqual({ exported: 0, dropped: 1 });
    await exporter.close();
    expect(exporter.counts()).toEqual({ exported: 1, dropped: 1 });
  });

  it('are sent again as soon as the collector accepts them', async () => {
    const collector = await startTraceCollector();
    // Longer than the batch may take.
    collector.refuseNext('1.5');
    const overrides = { maxBatchSpans: 1, delayMs: 5, timeoutMs: 1000 };
    const exporter = new SpanExporter(tracingTo(collector.url, overrides), () => undefined);
    exporter.add(span());
    await vi.waitFor(() => expect(exporter.counts().dropped).toBe(1), WAIT);
    exporter.add(span());
    await vi.waitFor(() => expect(exporter.counts().exported).toBe(1), WAIT);
  });

  it('are sent again after a second if the collector does not say when', async () => {
    const collector = await startTraceCollector();
    collector.refuseNext('soon');
    const exporter = new SpanExporter(tracingTo(collector.url, { maxBatchSpans: 1 }), () => undefined);
    const startMs = performance.now();
    exporter.add(span());
    await vi.waitFor(() => expect(exporter.counts()).toEqual({ exported: 1, dropped: 0 }), WAIT);
    expect(performance.now() - startMs).toBeGreaterThan(990);
  });

  it('do not delay a stop for longer than it may take', async () => {
    const { url } = await startPlainServer(() => undefined);
    const settings = tracingTo(url, {
      maxBatchSpans: 1,
      maxCloseMs: Number.POSITIVE_INFINITY,
      timeoutMs: 600_000,
    });
    const exporter = new SpanExporter(settings, () => undefined);
    exporter.add(span());
    await exporter.close(10);
    expect(exporter.counts()).toMatchObject({ exported: 0 });
  });

  it('are sent after the delay, however many they are', async () => {
    const collector = await startTraceCollector();
    const exporter = new SpanExporter(tracingTo(collector.url, { maxBatchSpans: 1000 }), () => undefined);
    let total = 0;
    for (const count of [1, 64, 100]) {
      for (let added = 0; added < count; added++) exporter.add(span());
      total += count;
      await vi.waitFor(() => expect(exporter.counts()).toEqual({ exported: total, dropped: 0 }), WAIT);
    }
    expect(collector.spans()).toHaveLength(total);
  });

  it('are small: strings are truncated', () => {
    expect(truncate('x'.repeat(10_000))).toHaveLength(256);
  });

  it('are sent as a full batch, compressed, with the headers of the operator', async () => {
    const collector = await startTraceCollector();
    const overrides = { maxBatchSpans: 2, delayMs: 600_000, isCompressed: true, headers: { 'x-key': 'k' } };
    const exporter = new SpanExporter(tracingTo(collector.url, overrides), () => undefined);
    for (let count = 0; count < 4; count++) exporter.add(span());
    await vi.waitFor(() => expect(collector.batches).toHaveLength(2), WAIT);
    expect(collector.batches[0]?.headers).toMatchObject({ 'x-key': 'k', 'content-encoding': 'gzip' });
    expect(collector.batches[0]?.path).toBe('/v1/traces');
  });

  it.each([
    ['JSON', 'http/json', 'application/json', '{"partialSuccess":{"rejectedSpans":"2"}}', 2],
    ['Protocol Buffers', 'http/protobuf', 'application/x-protobuf', '\x0a\x07\x12\x03old\x08\x02', 2],
    ['an empty message', 'http/protobuf', 'application/x-protobuf', '', 0],
    ['a truncated message', 'http/protobuf', 'application/x-protobuf', '\x0a\x07\x12', 0],
    ['HTML', 'http/json', 'text/html', '<html>', 0],
  ] as const)('count as dropped if the collector rejects them in %s', async (...row) => {
    const [, protocol, contentType, body, rejected] = row;
    const { url } = await startPlainServer((request, response) => {
      request.resume().on('end', () => response.writeHead(200, { 'Content-Type': contentType }).end(body));
    });
    const reasons: string[] = [];
    const exporter = new SpanExporter(tracingTo(url, { maxBatchSpans: 5, protocol }), (reason) =>
      reasons.push(reason),
    );
    for (let count = 0; count < 5; count++) exporter.add(span());
    await exporter.close();
    expect(exporter.counts()).toEqual({ exported: 5 - rejected, dropped: rejected });
    expect(reasons).toEqual(rejected > 0 ? ['2 of 5 spans rejected'] : []);
  });

  it('do not delay a stop for long if nobody listens, and the failure is logged once', async () => {
    const reasons: string[] = [];
    const settings = tracingTo('http://127.0.0.1:1/v1/traces', { maxBatchSpans: 1 });
    const exporter = new SpanExporter(settings, (reason) => reasons.push(reason));
    for (let count = 0; count < 3; count++) exporter.add(span());
    await exporter.close();
    expect(exporter.counts()).toEqual({ exported: 0, dropped: 3 });
    expect(reasons).toHaveLength(1);
  });
});

/** A minimal reader of Protocol Buffers: fields by number, with nested messages left as bytes. */
function readFields(bytes: Buffer): Map<number, (Buffer | bigint)[]> {
  const fields = new Map<number, (Buffer | bigint)[]>();
  let at = 0;
  const readVarint = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes.readUInt8(at++);
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const take = (length: number) => {
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(readVarint());
    const wire = tag & 7;
    const value = wire === 0 ? readVarint() : take(wire === 1 ? 8 : Number(readVarint()));
    fields.set(tag >> 3, [...(fields.get(tag >> 3) ?? []), value]);
  }
  return fields;
}

const first = (fields: Map<number, (Buffer | bigint)[]> | undefined, field: number): Buffer =>
  fields?.get(field)?.[0] as Buffer;

const inside = (bytes: Buffer, ...path: number[]): Buffer =>
  path.reduce((outer, field) => first(readFields(outer), field), bytes);

/** The body of a batch, from a buffer that is too small for its first span. */
function encode(encoder: OtlpFormat, spans: readonly Span[]): Buffer {
  const batch = new ByteWriter(8);
  for (const one of spans) encoder.append(one, batch);
  return Buffer.concat(encoder.frame(batch.view(), { 'service.name': 'gateway' }));
}

describe('the encodings', () => {
  const full = span({
    parent: SPAN_ID,
    trace: { traceId: TRACE_ID, state: 'a=1' },
    shape: new SpanShape('GET /v2.0/site "ü"', SpanKind.client),
    attributes: { text: 'ü"', count: 300, part: 0.5, negative: -7, yes: true, absent: undefined },
    events: [{ name: 'plan', timeMs: 1_773_480_600_001, attributes: { keys: 3 } }],
    hasFailed: true,
  });

  it('in JSON have all parts of a span', () => {
    const batch = JSON.parse(encode(jsonFormat, [full]).toString());
    expect(batch).toMatchInlineSnapshot(`
      {
        "resourceSpans": [
          {
            "resource": {
              "attributes": [
                {
                  "key": "service.name",
                  "value": {
                    "stringValue": "gateway",
                  },
                },
              ],
            },
            "scopeSpans": [
              {
                "scope": {
                  "name": "fieldgraph",
                },
                "spans": [
                  {
                    "attributes": [
                      {
                        "key": "text",
                        "value": {
                          "stringValue": "ü"",
                        },
                      },
                      {
                        "key": "count",
                        "value": {
                          "intValue": "300",
                        },
                      },
                      {
                        "key": "part",
                        "value": {
                          "doubleValue": 0.5,
                        },
                      },
                      {
                        "key": "negative",
                        "value": {
                          "intValue": "-7",
                        },
                      },
                      {
                        "key": "yes",
                        "value": {
                          "boolValue": true,
                        },
                      },
                    ],
                    "endTimeUnixNano": "1773480600001500000",
                    "events": [
                      {
                        "attributes": [
                          {
                            "key": "keys",
                            "value": {
                              "intValue": "3",
                            },
                          },
                        ],
                        "name": "plan",
                        "timeUnixNano": "1773480600001000000",
                      },
                    ],
                    "kind": 3,
                    "name": "GET /v2.0/site "ü"",
                    "parentSpanId": "b7ad6b7169203331",
                    "spanId": "b7ad6b7169203331",
                    "startTimeUnixNano": "1773480600000250000",
                    "status": {
                      "code": 2,
                    },
                    "traceId": "0af7651916cd43dd8448eb211c80319c",
                    "traceState": "a=1",
                  },
                ],
              },
            ],
          },
        ],
      }
    `);
  });

  it('in JSON write numbers that JSON does not have as Protocol Buffers do', () => {
    const attributes = { none: Number.NaN, most: Number.POSITIVE_INFINITY, least: Number.NEGATIVE_INFINITY };
    const batch = JSON.parse(encode(jsonFormat, [span({ attributes })]).toString());
    expect(batch.resourceSpans[0].scopeSpans[0].spans[0].attributes).toEqual([
      { key: 'none', value: { doubleValue: 'NaN' } },
      { key: 'most', value: { doubleValue: 'Infinity' } },
      { key: 'least', value: { doubleValue: '-Infinity' } },
    ]);
  });

  it('in Protocol Buffers have the same', () => {
    const encoded = encode(protobufFormat, [full, span()]);
    expect(inside(encoded, 1, 1, 1, 2, 1).toString()).toBe('gateway');
    const spans = readFields(inside(encoded, 1, 2)).get(2) as Buffer[];
    expect(spans).toHaveLength(2);
    const fields = readFields(spans[0] ?? Buffer.alloc(0));
    const text = (field: number) => String(fields.get(field)?.[0]);
    expect(first(fields, 1).toString('hex')).toBe(TRACE);
    expect(first(fields, 4).toString('hex')).toBe(SPAN);
    expect([text(3), text(5), text(6)]).toEqual(['a=1', full.shape.name, '3']);
    expect(first(fields, 7).readBigUInt64LE()).toBe(1_773_480_600_000_250_000n);
    expect(first(fields, 8).readBigUInt64LE()).toBe(1_773_480_600_001_500_000n);
    const values = (fields.get(9) as Buffer[]).map((pair) => readFields(inside(pair, 2)));
    expect(values.map((value) => [...value.keys()][0])).toEqual([1, 3, 4, 4, 2]);
    expect(values[1]?.get(3)).toEqual([300n]);
    expect(first(values[3], 4).readDoubleLE()).toBe(-7);
    expect(inside(spans[0] ?? Buffer.alloc(0), 11, 2).toString()).toBe('plan');
    const root = readFields(spans[1] ?? Buffer.alloc(0));
    expect([...root.keys()].sort((one, other) => one - other)).toEqual([1, 2, 5, 6, 7, 8]);
    expect(first(root, 1).toString('hex')).toBe(TRACE);
    expect(first(root, 2).toString('hex')).toBe(SPAN);
    expect(first(root, 8).readBigUInt64LE()).toBe(1_773_480_600_001_500_000n);
    expect(readFields(inside(spans[0] ?? Buffer.alloc(0), 15)).get(3)).toEqual([2n]);
  });

  it('have common attributes first, in each span that shares them', () => {
    const common = { 'http.route': '/graphql', status: 200, absent: undefined };
    const shape = new SpanShape('query', SpanKind.internal, common);
    const spans = ['one', 'other'].map((reason) => span({ shape, attributes: { reason } }));
    const [json] = JSON.parse(encode(jsonFormat, spans).toString()).resourceSpans[0].scopeSpans;
    const names = json.spans.map(({ attributes }: { attributes: { key: string }[] }) =>
      attributes.map(({ key }) => key),
    );
    expect(names).toEqual(Array(2).fill(['http.route', 'status', 'reason']));
    const encoded = readFields(inside(encode(protobufFormat, spans), 1, 2)).get(2) as Buffer[];
    const attributes = encoded.map((one) => readFields(one).get(9) as Buffer[]);
    const keys = attributes.map((pairs) => pairs.map((pair) => inside(pair, 1).toString()));
    expect(keys).toEqual(names);
    const reasons = attributes.map((pairs) => inside(pairs[2] ?? Buffer.alloc(0), 2, 1).toString());
    expect(reasons).toEqual(['one', 'other']);
  });

  it('write whole numbers of each length as short as possible', () => {
    const numbers = [0, 127, 128, 16_383, 16_384, 2 ** 40];
    const spans = numbers.map((count) => span({ attributes: { count } }));
    const encoded = readFields(inside(encode(protobufFormat, spans), 1, 2)).get(2) as Buffer[];
    const values = encoded.map((one) => inside(first(readFields(one), 9), 2));
    expect(values.map((value) => readFields(value).get(3))).toEqual(numbers.map((count) => [BigInt(count)]));
    expect(values.map(({ length }) => length)).toEqual([2, 2, 3, 3, 4, 7]);
  });

  it.each([1, 63, 64, 65, 127, 128, 200, 5000, 16_384, 70_000])(
    'write lengths of %d characters as short as possible',
    (length) => {
      for (const letter of ['x', 'ü']) {
        const text = letter.repeat(length);
        const encoded = encode(protobufFormat, [
          span({ shape: new SpanShape(text, SpanKind.internal), attributes: { text } }),
          span(),
        ]);
        const spans = readFields(inside(encoded, 1, 2)).get(2) as Buffer[];
        const fields = spans.map(readFields);
        expect(fields.map((one) => first(one, 5).toString())).toEqual([text, 'query']);
        expect(inside(first(fields[0], 9), 2, 1).toString()).toBe(text);
        expect(
          JSON.parse(
            encode(jsonFormat, [span({ shape: new SpanShape(text, SpanKind.internal) })]).toString(),
          ),
        ).toMatchObject({
          resourceSpans: [{ scopeSpans: [{ spans: [{ name: text }] }] }],
        });
      }
    },
  );
});
