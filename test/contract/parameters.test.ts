/** The path and query parameters that the REST API accepts and refuses. */
import { describe, expect, it } from 'vitest';
import { required } from '../support/gateway.js';
import type { OpenApiDocument } from '../support/sandbox/openapi.js';
import { refusal, startSandboxRequests } from '../support/sandbox/sandboxRequests.js';

const { ask } = await startSandboxRequests();

describe('the REST API', () => {
  const range = '/v2.0/stream/88001/sample/range?fromDate=1700000000&toDate=1800000000';

  it.each([
    ['/v2.0/site/abc', 'siteId'],
    ['/v2.0/site/0', 'siteId'],
    ['/v2.0/site/-1', 'siteId'],
    ['/v2.0/site/1.5', 'siteId'],
    ['/v2.0/site/9223372036854775808', 'siteId'],
    ['/v2.0/site/%F0%9F%A6%86', 'siteId'],
    ['/v2.0/device/id/x', 'deviceId'],
    [`/v2.0/device/${'x'.repeat(300)}`, 'serialNumber'],
    ['/v2.0/stream/88001/sample?lastSampleId=x', 'lastSampleId'],
    ['/v2.0/stream/88001/sample/range?fromDate=1700000000', 'toDate'],
    ['/v2.0/stream/88001/sample/range?fromDate=&toDate=1700000000', 'fromDate'],
    ['/v2.0/stream/88001/sample/range?fromDate=946688460&toDate=1700000000', 'fromDate'],
    ['/v2.0/stream/88001/sample/range?fromDate=1800000000&toDate=1700000000', 'fromDate'],
    ['/v2.0/stream/88001/sample/range?fromDate=2020-01-01T00:00:00Z&toDate=1700000000', 'fromDate'],
    [`${range}&limit=0`, 'limit'],
    [`${range}&limit=10001`, 'limit'],
    [`${range}&offset=0`, 'offset'],
    ['/v2.0/stream/88001/sample/agg?timeFrame=5&fromDate=1700000000&toDate=1800000000', 'timeFrame'],
    ['/v2.0/stream/88001/sample/agg?fromDate=1700000000&toDate=1800000000', 'timeFrame'],
    ['/v2.0/stream/88001/sample/batch', 'sampleDate'],
    ['/v2.0/sample/batch?enableAck=perhaps', 'enableAck'],
    ['/v2.0/sample/batch?sampleID=-3', 'sampleID'],
    ['/v2.0/sample/batch?backfillHours=1e3', 'backfillHours'],
    ['/v2.0/sample/image/id/x', 'imageId'],
  ])('refuses %s, naming %s', async (path, name) => {
    const { status, message } = await refusal(await ask(path));
    expect(status).toBe(400);
    expect(message).toContain(name);
  });

  it.each([
    ['/v2.0/sample/batch/ack', 'sampleId'],
    ['/v2.0/sample/batch/ack?sample_id=5', 'sampleId'],
    ['/v2.0/sample/batch/backfill?sample_date=1700000000', 'sampleDate'],
    ['/v2.0/sample/rfid/batch/ack?sampleId=5', 'sample_id'],
    ['/v2.0/sample/rfid/batch/backfill?sampleDate=1700000000', 'sample_date'],
  ])('requires the spelling of POST %s, %s', async (path, name) => {
    const { status, message } = await refusal(await ask(path, { method: 'POST' }));
    expect(status).toBe(400);
    expect(message).toContain(name);
  });

  it.each(['/v2.0/site/9223372036854775807', '/v2.0/stream/1/sample/last', '/v2.0/device/nobody'])(
    'does not know %s',
    async (path) => {
      expect(await refusal(await ask(path))).toMatchObject({ status: 404 });
    },
  );

  it.each(['True', 'False', 'true', 'FALSE', '1', '0', ''])('accepts enableAck=%s', async (value) => {
    expect((await ask(`/v2.0/sample/rfid/batch?enableAck=${value}`)).status).toBe(200);
  });

  it('documents the last date that it accepts', async () => {
    const { paths } = (await (await ask('/openapi.json')).json()) as OpenApiDocument;
    const { parameters } = required(paths['/v2.0/sample/image/batch']?.['get']);
    const last = Number(parameters?.find(({ name }) => name === 'sampleDate')?.schema.maximum);
    expect((await ask(`/v2.0/sample/image/batch?sampleDate=${last}`)).status).toBe(200);
    const { status, message } = await refusal(await ask(`/v2.0/sample/image/batch?sampleDate=${last + 1}`));
    expect(status).toBe(400);
    expect(message).toContain(`${last}`);
  });

  it('ignores unknown parameters', async () => {
    expect((await ask('/v2.0/stream/88001/sample?fromDate=0&toDate=x')).status).toBe(200);
  });
});
