/** The settings of tracing: read as OpenTelemetry means them, and every wrong value is named. */
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/config/config.js';
import { problemsOf } from './problems.js';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' };

describe('tracing', () => {
  it('is off without an endpoint, and with OTEL_SDK_DISABLED', () => {
    expect(readConfig({ OTEL_SERVICE_NAME: 'g', OTEL_TRACES_SAMPLER: 'always_on' }).tracing).toBeUndefined();
    expect(readConfig({ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }).tracing).toBeUndefined();
    expect(readConfig({ ...ENDPOINT, OTEL_SDK_DISABLED: 'false' }).tracing).toBeDefined();
  });

  it('has defaults', () => {
    expect(readConfig(ENDPOINT).tracing).toEqual({
      url: 'http://localhost:4318/v1/traces',
      protocol: 'http/protobuf',
      headers: {},
      isCompressed: false,
      timeoutMs: 10_000,
      maxQueuedSpans: 8192,
      maxQueuedBytes: 16_777_216,
      maxBatchSpans: 2048,
      delayMs: 5000,
      maxCloseMs: 2000,
      resource: { 'service.name': 'fieldgraph' },
      sampler: { name: 'parentbased_always_on', ratio: 1 },
    });
  });

  it('reads every setting', () => {
    const { tracing } = readConfig({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example/otlp/',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20a%2Cb, x-tenant = fleet ,',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_EXPORTER_OTLP_TIMEOUT: '2500',
      OTEL_SERVICE_NAME: 'edge',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=staging, note=a%20b, service.name=other',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_BSP_MAX_QUEUE_SIZE: '100',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '10',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    });
    expect(tracing).toEqual({
      url: 'https://collector.example/otlp/v1/traces',
      protocol: 'http/json',
      headers: { authorization: 'Bearer a,b', 'x-tenant': 'fleet' },
      isCompressed: true,
      timeoutMs: 2500,
      maxQueuedSpans: 100,
      maxQueuedBytes: 16_777_216,
      maxBatchSpans: 10,
      delayMs: 50,
      maxCloseMs: 2000,
      resource: { 'deployment.environment.name': 'staging', note: 'a b', 'service.name': 'edge' },
      sampler: { name: 'traceidratio', ratio: 0.25 },
    });
  });

  it.each([
    ['1000', 500],
    ['4096', 2048],
    ['100000', 2048],
    ['1', 1],
  ])('sends batches of half of a queue of %s spans at most', (OTEL_BSP_MAX_QUEUE_SIZE, maxBatchSpans) => {
    expect(readConfig({ ...ENDPOINT, OTEL_BSP_MAX_QUEUE_SIZE }).tracing).toMatchObject({ maxBatchSpans });
  });

  it('accepts headers that HTTP can carry, and attributes of any text', () => {
    const { tracing } = readConfig({
      ...ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-place=M%C3%BCnchen%09S%C3%BCd',
      OTEL_RESOURCE_ATTRIBUTES: 'place=%E6%9D%B1%E4%BA%AC',
    });
    expect(tracing).toMatchObject({ headers: { 'x-place': 'München\tSüd' }, resource: { place: '東京' } });
  });

  it('takes the name of the service from the attributes if only they have it', () => {
    const own = { OTEL_RESOURCE_ATTRIBUTES: 'service.name=from-attributes' };
    expect(readConfig({ ...ENDPOINT, ...own }).tracing?.resource).toEqual({
      'service.name': 'from-attributes',
    });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'localhost:4317', 'must be an http or https address'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://user:hidden@collector', 'must not contain a user or password'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://collector?key=hidden', 'must not contain a query or fragment'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://collector/otlp#hidden', 'must not contain a query or fragment'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://collector/?', 'must not contain a query or fragment'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', 'must be one of http/protobuf, http/json'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'hidden', 'must list pairs'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=hidden%', 'must list pairs'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=hidden%0d%0ab:c', 'must list pairs'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a b=hidden', 'must list pairs'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=Bearer%20hidden%E2%80%8B', 'must have values of ASCII or Latin-1'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=hidden%7f', 'must have values of ASCII or Latin-1'],
    ['OTEL_EXPORTER_OTLP_COMPRESSION', 'zstd', 'must be one of none, gzip'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '10s', 'must be a whole number from 1 to 600000'],
    ['OTEL_EXPORTER_OTLP_TIMEOUT', '0', 'must be a whole number from 1 to 600000'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'staging', 'must list pairs'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote', 'must be one of parentbased_always_on'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5', 'must be a number from 0 to 1'],
    ['OTEL_TRACES_SAMPLER_ARG', '10%', 'must be a number from 0 to 1'],
    ['OTEL_BSP_MAX_QUEUE_SIZE', '0', 'must be a whole number from 1 to 100000'],
    ['OTEL_BSP_MAX_EXPORT_BATCH_SIZE', '-1', 'must be a whole number from 1 to 10000'],
    ['OTEL_BSP_SCHEDULE_DELAY', 'soon', 'must be a whole number from 1 to 600000'],
    ['OTEL_SDK_DISABLED', 'yes', 'must be one of true, false'],
  ])('refuses %s=%s by name', (name, value, reason) => {
    const problems = problemsOf({ ...ENDPOINT, [name]: value });
    expect(problems).toEqual([expect.stringContaining(`${name}: ${reason}`)]);
    expect(problems.join()).not.toContain('hidden');
  });

  it('reports all wrong values at once', () => {
    const wrong = {
      OTEL_TRACES_SAMPLER: 'no',
      OTEL_EXPORTER_OTLP_TIMEOUT: 'no',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'no',
    };
    expect(problemsOf({ ...ENDPOINT, ...wrong })).toHaveLength(3);
  });
});
