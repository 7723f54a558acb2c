/** The freshness policy of each kind of resource; `docs/configuration.md` describes the kinds. */
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../lib/clock.js';
import type { FreshnessPolicy } from './freshness.js';

interface ResponsePolicy extends FreshnessPolicy {
  /** Whether the values change when numeric samples arrive, so that a poll makes responses with them stale. */
  changesWithNumbers: boolean;
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

/**
 * Names and formats hardly ever change, so they are loaded rarely, and served for a long time while the platform is
 * down.
 */
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
  organization: ENTITY,
  user: ENTITY,
  site: ENTITY,
  device: ENTITY,
  channel: ENTITY,
  stream: ENTITY,
  attributes: ENTITY,
  attributeNames: SETTING,
  threshold: ENTITY,
  uiPreferences: SETTING,
  // The level can be an alarm, so it has the shortest time to live.
  thresholdStatus: { ...MEASUREMENT, timeToLiveMs: 5 * SECOND_MS },
  lastSample: MEASUREMENT,
  // Samples of today and yesterday (UTC), for which samples still arrive.
  samplesOpen: { ...MEASUREMENT, staleWhileRevalidateMs: 0 },
  // Only a device that was offline for more than a day still adds samples to earlier days.
  samplesClosed: {
    timeToLiveMs: HOUR_MS,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 24 * HOUR_MS,
    changesWithNumbers: true,
  },
  deviceRecords: MEASUREMENT,
  // An image never changes; the periods only limit its time in memory.
  image: {
    timeToLiveMs: HOUR_MS,
    staleWhileRevalidateMs: HOUR_MS,
    staleIfErrorMs: 24 * HOUR_MS,
    changesWithNumbers: false,
  },
} as const satisfies Readonly<Record<string, ResponsePolicy>>;

/**
 * The open period begins yesterday (UTC). Earlier days are closed, though late samples may still arrive. Unix
 * milliseconds.
 */
export function openPeriodStart(nowMs: number): number {
  return (Math.floor(nowMs / DAY_MS) - 1) * DAY_MS;
}

export type ResourceKind = keyof typeof POLICIES;
