/** The freshness policy of each kind of resource; `docs/configuration.md` contains the same table. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/clock.js';
import type { FreshnessPolicy } from './freshness.js';

interface KindPolicy extends FreshnessPolicy {
  /** Describes the kind and explains its periods, for the documentation. */
  description: string;
}

/**
 * People change these entities by hand, a few times a day. Nobody notices an age of one minute. In the five minutes
 * after that the stale value triggers a revalidation, so the next page load is up to date. While the platform is down,
 * a fleet of an hour ago is more useful than an error.
 */
const ENTITY: FreshnessPolicy = {
  timeToLiveMs: 60 * SECOND_MS,
  staleWhileRevalidateMs: 5 * MINUTE_MS,
  staleIfErrorMs: HOUR_MS,
};

/** Names and formats hardly ever change: they are loaded rarely, and served long while the platform is down. */
const SETTING: FreshnessPolicy = {
  timeToLiveMs: 5 * MINUTE_MS,
  staleWhileRevalidateMs: 30 * MINUTE_MS,
  staleIfErrorMs: 6 * HOUR_MS,
};

/**
 * Devices send measurements every few minutes, so an age of seconds is not visible, and many viewers of one page cost
 * one call. A value older than ten minutes would be mistaken for a current one.
 */
const MEASUREMENT: FreshnessPolicy = {
  timeToLiveMs: 10 * SECOND_MS,
  staleWhileRevalidateMs: 30 * SECOND_MS,
  staleIfErrorMs: 10 * MINUTE_MS,
};

/** The defaults; durations in milliseconds. */
export const POLICIES = {
  organization: { ...ENTITY, description: 'Organizations of the account.' },
  user: { ...ENTITY, description: 'Users and their details.' },
  site: { ...ENTITY, description: 'Sites, one or all of them.' },
  device: { ...ENTITY, description: 'Devices, one, of a site, or all of them.' },
  channel: { ...ENTITY, description: 'Channels, one, of a device, or all of them.' },
  stream: { ...ENTITY, description: 'Streams, one, of a site, or all of them.' },
  attributes: {
    ...ENTITY,
    description: 'Custom attributes of sites and streams; a write invalidates them at once.',
  },
  attributeNames: { ...SETTING, description: 'Names of custom attributes, which hardly ever change.' },
  threshold: { ...ENTITY, description: 'Threshold levels of a stream; a write invalidates them at once.' },
  uiPreferences: { ...SETTING, description: 'Date and time formats of the API client’s user.' },
  thresholdStatus: {
    timeToLiveMs: 5 * SECOND_MS,
    staleWhileRevalidateMs: 30 * SECOND_MS,
    staleIfErrorMs: 10 * MINUTE_MS,
    description: 'The level that a stream is in. It can be an alarm, so it has the shortest time to live.',
  },
  lastSample: { ...MEASUREMENT, description: 'The newest sample of a stream.' },
  samplesOpen: {
    timeToLiveMs: 10 * SECOND_MS,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 10 * MINUTE_MS,
    description:
      'Samples of all kinds and aggregates of today and yesterday (UTC), the days for which samples still arrive. ' +
      'A chart with many viewers costs one call in ten seconds.',
  },
  samplesClosed: {
    timeToLiveMs: HOUR_MS,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 24 * HOUR_MS,
    description:
      'Samples of all kinds and aggregates of days before yesterday. Only a device that was offline for more than a ' +
      'day still adds samples to them; these appear within the hour.',
  },
  deviceRecords: { ...MEASUREMENT, description: 'Health counters and log records of a device.' },
  image: {
    timeToLiveMs: HOUR_MS,
    staleWhileRevalidateMs: HOUR_MS,
    staleIfErrorMs: 24 * HOUR_MS,
    description: 'One image by its id. It never changes; the periods only limit its time in memory.',
  },
} as const satisfies Readonly<Record<string, KindPolicy>>;

/** The open period begins yesterday (UTC). Earlier days are closed, though late samples may still arrive. Unix milliseconds. */
export function openPeriodStart(nowMs: number): number {
  return (Math.floor(nowMs / DAY_MS) - 1) * DAY_MS;
}

/** A kind of resource with its own policy. */
export type ResourceKind = keyof typeof POLICIES;
