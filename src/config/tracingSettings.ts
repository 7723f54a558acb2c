/** Settings of tracing, by the names and with the meaning that OpenTelemetry gives them. */
import { decodeIfValid } from '../lib/records.js';
import { samplerNames } from '../tracing/sampler.js';
import { fraction, integer, list, oneOf, optional, quote, SettingError, text } from './setting.js';

const protocols = ['http/protobuf', 'http/json'] as const;

export const tracingSettings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    'Address of an OpenTelemetry collector, such as `http://localhost:4318`. Spans are sent to `/v1/traces` below it.',
    { defaultText: 'no tracing', parse: parseCollectorUrl },
  ),
  OTEL_EXPORTER_OTLP_PROTOCOL: oneOf(
    protocols,
    'http/protobuf',
    `Format of the spans: ${protocols.map((name) => `\`${name}\``).join(' or ')}. gRPC is not available.`,
  ),
  OTEL_EXPORTER_OTLP_HEADERS: optional(
    'Headers for the collector, such as `authorization=Bearer%20…`, separated by commas; values are percent-encoded.',
    { parse: parseHeaders },
  ),
  OTEL_EXPORTER_OTLP_HEADERS_FILE: optional(
    'File that contains the headers, instead of OTEL_EXPORTER_OTLP_HEADERS.',
  ),
  OTEL_EXPORTER_OTLP_COMPRESSION: oneOf(
    ['none', 'gzip'],
    'none',
    'Compression of the spans: `none` or `gzip`.',
  ),
  OTEL_EXPORTER_OTLP_TIMEOUT: integer(
    { default: 10_000, min: 1, max: 600_000 },
    'Milliseconds within which the collector must accept a batch of spans.',
  ),
  OTEL_SERVICE_NAME: text('fieldgraph', 'Name of this gateway in traces.'),
  OTEL_RESOURCE_ATTRIBUTES: list(
    'Attributes of all spans, such as `deployment.environment.name=staging`.',
    (item) => void readPairs(item),
  ),
  OTEL_TRACES_SAMPLER: oneOf(
    samplerNames,
    'parentbased_always_on',
    'Which traces are recorded: `always_on`, `always_off` or `traceidratio`. With the prefix `parentbased_`, the gateway follows the sampling decision of a caller that sends `traceparent`.',
  ),
  OTEL_TRACES_SAMPLER_ARG: fraction(
    1,
    'Fraction of the traces that `traceidratio` and `parentbased_traceidratio` record.',
  ),
  OTEL_BSP_MAX_QUEUE_SIZE: integer(
    { default: 8192, min: 1, max: 100_000 },
    'Maximum number of spans that wait for the collector. Further spans are dropped and counted.',
  ),
  OTEL_BSP_MAX_EXPORT_BATCH_SIZE: integer(
    // Four times OpenTelemetry's default, because sending a batch costs more than encoding its spans.
    { default: 2048, min: 1, max: 10_000 },
    'Maximum number of spans in one batch, at most half of OTEL_BSP_MAX_QUEUE_SIZE. A batch that reaches 1 MB is sent earlier.',
  ),
  OTEL_BSP_SCHEDULE_DELAY: integer(
    { default: 5000, min: 1, max: 600_000 },
    'Maximum milliseconds that a span waits before its batch is sent.',
  ),
  OTEL_SDK_DISABLED: oneOf(
    ['true', 'false'],
    'false',
    '`true` turns tracing off, whatever the other settings are.',
  ),
};

function parseCollectorUrl(value: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new SettingError(`must be an http or https address; ${quote(value)} is not.`);
  if (url.username !== '' || url.password !== '')
    throw new SettingError('must not contain a user or password; use OTEL_EXPORTER_OTLP_HEADERS.');
  // The path would be appended to it.
  if (/[?#]/.test(value))
    throw new SettingError('must not contain a query or fragment; use OTEL_EXPORTER_OTLP_HEADERS for a key.');
  if (/\/v1\/traces\/*$/.test(url.pathname))
    throw new SettingError('must end before /v1/traces, which the gateway adds.');
  return value;
}

/** HTTP has no form for other characters in a header: each batch would fail. */
function parseHeaders(value: string): string {
  if (Object.values(readPairs(value)).every((text) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text))) return value;
  throw new SettingError(
    'must have values of ASCII or Latin-1 characters after decoding; look for an invisible one.',
  );
}

/** Reads `name=value` pairs, as in W3C Baggage. Messages do not repeat the text, which may contain a credential. */
export function readPairs(value: string): Record<string, string> {
  const pairs = value.split(',').map((pair) => pair.trim());
  return Object.fromEntries(pairs.filter((pair) => pair !== '').map(readPair));
}

function readPair(pair: string): [string, string] {
  const [, name, encoded] = /^([\w.!#$%&'*+^`|~-]+)\s*=\s*([\x21-\x7e ]*)$/.exec(pair) ?? [];
  const value = encoded === undefined ? undefined : decodeIfValid(encoded);
  if (name !== undefined && value !== undefined && !/[\r\n\0]/.test(value)) return [name, value];
  throw new SettingError(
    'must list pairs such as name=value, separated by commas; values are percent-encoded.',
  );
}
