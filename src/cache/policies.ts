/** The freshness policy of each kind of resource; `docs/configuration.md` contains the same table. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/clock.js';
import type { FreshnessPolicy } from './freshness.js';

interface ResponsePolicy extends FreshnessPolicy {
  /** Whether the values change when numeric samples arrive, so that a poll makes responses with them stale. */
  changesWithNumbers: boolean;
}

interface KindPolicy extends ResponsePolicy {
  /** Describes the kind and explains its periods, for the documentation. */
  description: string;
}

/**
 * People change these entities by hand, a few times a day. Nobody notices an age of one minute. In the five minutes
 * after that the stale value triggers a revalidation, so the next page load is up to date. While the platform is down,
 * a fleet of an hour ago is more useful than an error.
 */
const ENTITY: ResponsePolicy = {
  timeToLiveMs: 60 * SECOND_MS,
  staleWhileRevalidateMs: 5 * MINUTE_MS,
  staleIfErrorMs: HOUR_MS,
  changesWithNumbers: false,
};

/** Names and formats hardly ever change: they are loaded rarely, and served long while the platform is down. */
const SETTING: ResponsePolicy = {
  timeToLiveMs: 5 * MINUTE_MS,
  staleWhileRevalidateMs: 30 * MINUTE_MS,
  staleIfErrorMs: 6 * HOUR_MS,
  changesWithNumbers: false,
};

/**
 * Devices send measurements every few minutes, so an age of seconds is not visible, and many viewers of one page cost
 * one call. A value older than ten minutes would be mistaken for a current one.
 */
const MEASUREMENT: ResponsePolicy = {
  timeToLiveMs: 10 * SECOND_MS,
  staleWhileRevalidateMs: 30 * SECOND_MS,
  staleIfErrorMs: 10 * MINUTE_MS,
  changesWithNumbers: true,
};

/** The defaults; durations in milliseconds. */
export const POLICIES = {
  organization: { ...ENTITY, description: 'Organizations of the account.' },
  user: { ...ENTITY, description: 'Users and their details.' },
  site: { ...ENTITY, description: 'One site, or all sites.' },
  device: { ...ENTITY, description: 'One device, the devices of a site, or all devices.' },
  channel: { ...ENTITY, description: 'One channel, the channels of a device, or all channels.' },
  stream: { ...ENTITY, description: 'One stream, the streams of a site, or all streams.' },
  attributes: {
    ...ENTITY,
    description: 'Custom attributes of sites and streams; a write invalidates them at once.',
  },
  attributeNames: { ...SETTING, description: 'Names of custom attributes, which rarely change.' },
  threshold: { ...ENTITY, description: 'Threshold levels of a stream; a write invalidates them at once.' },
  uiPreferences: { ...SETTING, description: 'Date and time formats of the API client’s user.' },
  thresholdStatus: {
    timeToLiveMs: 5 * SECOND_MS,
    staleWhileRevalidateMs: 30 * SECOND_MS,
    staleIfErrorMs: 10 * MINUTE_MS,
    changesWithNumbers: true,
    description: 'The level that a stream is in. It can be an alarm, so it has the shortest time to live.',
  },
  lastSample: { ...MEASUREMENT, description: 'The newest sample of a stream.' },
  samplesOpen: {
    timeToLiveMs: 10 * SECOND_MS,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 10 * MINUTE_MS,
    changesWithNumbers: true,
    description:
      'Samples of all kinds and aggregates of today and yesterday (UTC), for which samples still arrive. ' +
      'A chart takes at most one call in ten seconds, for any number of viewers.',
  },
  samplesClosed: {
    timeToLiveMs: HOUR_MS,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 24 * HOUR_MS,
    changesWithNumbers: true,
    description:
      'Samples of all kinds and aggregates of days before yesterday. Only a device that was offline for more than a ' +
      'day still adds samples to them; these appear within the hour.',
  },
  deviceRecords: { ...MEASUREMENT, description: 'Health counters and log records of a device.' },
  image: {
    timeToLiveMs: HOUR_MS,
    staleWhileRevalidateMs: HOUR_MS,
    staleIfErrorMs: 24 * HOUR_MS,
    changesWithNumbers: false,
    description: 'One image. It never changes; the periods only limit its time in memory.',
  },
} as const satisfies Readonly<Record<string, KindPolicy>>;

/** The open period begins yesterday (UTC). Earlier days are closed, though late samples may still arrive. Unix milliseconds. */
export function openPeriodStart(nowMs: number): number {
  return (Math.floor(nowMs / DAY_MS) - 1) * DAY_MS;
}

/** A kind of resource with its own policy. */
export type ResourceKind = keyof typeof POLICIES;
