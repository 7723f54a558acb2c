/** How long each kind of answer serves, as a table: the cache reads it and the manual is made from it. */
import type { FreshnessPolicy } from './freshness.js';

export interface KindPolicy extends FreshnessPolicy {
  /** What the kind is and why it serves so long, for the manual. */
  description: string;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/**
 * What people set up by hand changes a few times a day: a minute of age is not noticed, and five more are
 * given while the next page load already finds the new state. With the platform away, an hour-old fleet is
 * worth more than an error.
 */
const ENTITY: FreshnessPolicy = {
  timeToLiveMs: 60 * SECOND,
  staleWhileRevalidateMs: 5 * MINUTE,
  staleIfErrorMs: HOUR,
};

/** Names and formats that hardly ever change: asked rarely, and kept long where the platform is away. */
const SETTING: FreshnessPolicy = {
  timeToLiveMs: 5 * MINUTE,
  staleWhileRevalidateMs: 30 * MINUTE,
  staleIfErrorMs: 6 * HOUR,
};

/**
 * What devices report. Devices send every few minutes, so seconds of age are below what can be seen, and many
 * viewers of one page still cost one call; after ten minutes a value would pass for the present and is none.
 */
const MEASUREMENT: FreshnessPolicy = {
  timeToLiveMs: 10 * SECOND,
  staleWhileRevalidateMs: 30 * SECOND,
  staleIfErrorMs: 10 * MINUTE,
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
    description: 'Custom attributes of sites and streams; a write drops them at once.',
  },
  attributeNames: { ...SETTING, description: 'Names of custom attributes, which hardly ever change.' },
  threshold: { ...ENTITY, description: 'Threshold levels of a stream; a write drops them at once.' },
  uiPreferences: { ...SETTING, description: 'Date and time formats of the API client’s user.' },
  thresholdStatus: {
    timeToLiveMs: 5 * SECOND,
    staleWhileRevalidateMs: 30 * SECOND,
    staleIfErrorMs: 10 * MINUTE,
    description: 'Which level a stream is in: an alarm, so it is asked again soonest.',
  },
  lastSample: { ...MEASUREMENT, description: 'The newest sample of a stream.' },
  samplesOpen: {
    timeToLiveMs: 10 * SECOND,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 10 * MINUTE,
    description:
      'Samples of all kinds and aggregates of today and yesterday (UTC): that is where samples still arrive, and a ' +
      'chart that is looked at by many costs one call in ten seconds.',
  },
  samplesClosed: {
    timeToLiveMs: HOUR,
    staleWhileRevalidateMs: 0,
    staleIfErrorMs: 24 * HOUR,
    description:
      'Samples of all kinds and aggregates of days before yesterday: only a device that was out of contact for more than a day ' +
      'can still add to them, and what it sends late is seen within the hour.',
  },
  deviceRecords: { ...MEASUREMENT, description: 'Health counters and log records of a device.' },
  image: {
    timeToLiveMs: HOUR,
    staleWhileRevalidateMs: HOUR,
    staleIfErrorMs: 24 * HOUR,
    description: 'One image by its id: it never changes, its bytes only have to make room some day.',
  },
} as const satisfies Readonly<Record<string, KindPolicy>>;

/** A kind of answer that is cached. */
export type ResourceKind = keyof typeof POLICIES;

/** The policy of each kind. */
export type PolicyTable = Readonly<Record<ResourceKind, FreshnessPolicy>>;
