/** Checks of `fieldgraph doctor` on the collector of traces: whether it accepts a message without spans. */
import { gzipSync } from 'node:zlib';
import { CollectorConnection } from '../../tracing/collectorConnection.js';
import type { TracingSettings } from '../../tracing/tracing.js';
import { explainConnection, findCode } from './explainConnection.js';
import { type Finding, ok, problem, warning } from './report.js';

const TIMEOUT_MS = 5000;
const COLLECTOR = 'tracing.collector';
const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';

const TO_PORT = `Set ${ENDPOINT} to the address before /v1/traces, and its port for OTLP over HTTP (usually 4318).`;

const collectorRemedies: Readonly<Record<number, string>> = {
  400: 'Check that the address is that of a collector, OTEL_EXPORTER_OTLP_PROTOCOL and OTEL_EXPORTER_OTLP_COMPRESSION.',
  401: 'Set the credential for the collector in OTEL_EXPORTER_OTLP_HEADERS.',
  403: 'Set the credential for the collector in OTEL_EXPORTER_OTLP_HEADERS.',
  404: TO_PORT,
  405: TO_PORT,
  415: 'Set OTEL_EXPORTER_OTLP_PROTOCOL and OTEL_EXPORTER_OTLP_COMPRESSION to a format that the collector accepts.',
};

/** `tracing`: absent if tracing is off. */
export async function checkCollector(tracing: TracingSettings | undefined): Promise<Finding[]> {
  if (tracing === undefined) return [];
  const { url, headers, timeoutMs, isCompressed } = tracing;
  const isJson = tracing.protocol === 'http/json';
  const connection = new CollectorConnection(url);
  try {
    const contentType = isJson ? 'application/json' : 'application/x-protobuf';
    // A message of Protocol Buffers without fields has no bytes.
    const plain = Buffer.from(isJson ? '{"resourceSpans":[]}' : '');
    const startMs = performance.now();
    const encoding = isCompressed ? { 'Content-Encoding': 'gzip' } : {};
    const request = { ...headers, 'Content-Type': contentType, ...encoding };
    const body = [isCompressed ? gzipSync(plain) : plain];
    const { status, contentType: received } = await connection.post(request, body, startMs + TIMEOUT_MS);
    // Web interfaces, such as Jaeger's, return 200 for every address.
    if (/html/i.test(received) && status < 300) {
      const message = 'A web page responds instead of a collector; spans would be lost.';
      return [problem(COLLECTOR, message, TO_PORT)];
    }
    const tookMs = Math.ceil(performance.now() - startMs);
    if (status >= 200 && status < 300) return [judgeTime(tookMs, timeoutMs)];
    const remedy = collectorRemedies[status] ?? `Check ${ENDPOINT}, and the log of the collector.`;
    return [problem(COLLECTOR, `The collector responds with status ${status}; spans would be lost.`, remedy)];
  } catch (error) {
    if (findCode(error) === 'HPE_INVALID_CONSTANT') {
      const message = 'The address does not speak HTTP/1.1. It may be the port for gRPC.';
      return [problem(COLLECTOR, message, TO_PORT)];
    }
    return [explainConnection(error, { setting: ENDPOINT, url, check: COLLECTOR })];
  } finally {
    connection.close();
  }
}

function judgeTime(tookMs: number, timeoutMs: number): Finding {
  if (tookMs <= timeoutMs) return ok(COLLECTOR, 'The collector accepts spans.');
  const message = `The collector responds after ${tookMs} ms, and the gateway waits ${timeoutMs} ms; spans would be lost.`;
  return warning(COLLECTOR, message, 'Raise OTEL_EXPORTER_OTLP_TIMEOUT. Its unit is milliseconds.');
}
