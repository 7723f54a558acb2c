/** Health counters of devices. */
import { expect, it } from 'vitest';
import { createDeviceRecords } from '../../../../src/sources/entities/deviceRecords.js';
import { createComputedRest, createReaders } from '../../../support/rest/readerParts.js';

const row = { id: 1, counter_type_id: 7, value: 3, sample_date: '2026-03-13T00:00:00Z' };

it('that are cached are returned without a promise, which takes half the time in long lists', async () => {
  const { rest } = createComputedRest(() => [row]);
  const { createReader } = createReaders();
  const load = () => createDeviceRecords(rest, createReader(), new Map()).lastHealth(1, ['7']);
  const loaded = await load();
  expect(loaded).toHaveLength(1);
  expect(load()).toEqual(loaded);
});
