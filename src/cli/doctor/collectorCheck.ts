/** Check of `fieldgraph doctor` on the OpenTelemetry collector: it accepts a message without spans. */
import { CollectorConnection } from '../../tracing/collectorConnection.js';
import type { TracingSettings } from '../../tracing/tracing.js';
import { explainConnection } from './explainConnection.js';
import { type Finding, ok, problem } from './report.js';

const CHECK = 'tracing.collector';
const TIMEOUT_MS = 5000;
const SETTING = 'OTEL_EXPORTER_OTLP_ENDPOINT';

/** Remedies by status. */
const remedies: Readonly<Record<number, string>> = {
  400: 'Check that the address is that of a collector, and OTEL_EXPORTER_OTLP_PROTOCOL.',
  401: 'Set the credential for the collector in OTEL_EXPORTER_OTLP_HEADERS.',
  403: 'Set the credential for the collector in OTEL_EXPORTER_OTLP_HEADERS.',
  404: `Set ${SETTING} to the address before /v1/traces, and its port for OTLP over HTTP (usually 4318).`,
  405: `Set ${SETTING} to the address before /v1/traces, and its port for OTLP over HTTP (usually 4318).`,
  415: 'Set OTEL_EXPORTER_OTLP_PROTOCOL to a format that the collector accepts.',
};

/** `tracing`: absent if tracing is off. */
export async function checkCollector(tracing: TracingSettings | undefined): Promise<Finding[]> {
  if (tracing === undefined) return [];
  const { url, headers } = tracing;
  const isJson = tracing.protocol === 'http/json';
  const connection = new CollectorConnection(url);
  try {
    const contentType = isJson ? 'application/json' : 'application/x-protobuf';
    // A message of Protocol Buffers without fields has no bytes.
    const body = isJson ? [Buffer.from('{"resourceSpans":[]}')] : [];
    const endMs = performance.now() + TIMEOUT_MS;
    const status = await connection.post({ ...headers, 'Content-Type': contentType }, body, endMs);
    if (status >= 200 && status < 300) return [ok(CHECK, 'The collector accepts spans.')];
    const remedy = remedies[status] ?? `Check ${SETTING}, and the log of the collector.`;
    return [problem(CHECK, `The collector answers with status ${status}; spans would be lost.`, remedy)];
  } catch (error) {
    return [explainConnection(error, { setting: SETTING, url, check: CHECK })];
  } finally {
    connection.close();
  }
}
