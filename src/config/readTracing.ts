/** Builds the settings of the exporter and the sampler from the environment. */
import type { TracingSettings } from '../tracing/tracing.js';
import type { ParsedSettings, SettingValues } from './settings.js';
import { readPairs } from './tracingSettings.js';

/** Maximum memory of the encoded spans that wait for the collector. */
const MAX_QUEUED_SPAN_BYTES = 16 * 1024 * 1024;

/** Undefined if tracing is off. */
export function readTracing({ values, isSet }: ParsedSettings): TracingSettings | undefined {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined || values.OTEL_SDK_DISABLED === 'true') return undefined;
  const own = Object.assign({}, ...values.OTEL_RESOURCE_ATTRIBUTES.map(readPairs)) as Record<string, string>;
  // The name has precedence over the attribute, unless only the attribute is set.
  const name =
    isSet('OTEL_SERVICE_NAME') || own['service.name'] === undefined
      ? { 'service.name': values.OTEL_SERVICE_NAME }
      : {};
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    ...toExport(values),
    resource: { ...own, ...name },
    sampler: { name: values.OTEL_TRACES_SAMPLER, ratio: values.OTEL_TRACES_SAMPLER_ARG },
  };
}

function toExport(values: SettingValues) {
  return {
    protocol: values.OTEL_EXPORTER_OTLP_PROTOCOL,
    headers: readPairs(values.OTEL_EXPORTER_OTLP_HEADERS ?? ''),
    isCompressed: values.OTEL_EXPORTER_OTLP_COMPRESSION === 'gzip',
    timeoutMs: values.OTEL_EXPORTER_OTLP_TIMEOUT,
    maxQueuedBytes: MAX_QUEUED_SPAN_BYTES,
    maxQueuedSpans: values.OTEL_BSP_MAX_QUEUE_SIZE,
    maxBatchSpans: values.OTEL_BSP_MAX_EXPORT_BATCH_SIZE,
    delayMs: values.OTEL_BSP_SCHEDULE_DELAY,
  };
}
