/** What is given about a site before its devices and streams are planned. */
import type { OrganizationPlan } from './catalogue.js';
import type { World } from './world.js';

/** Exact numbers instead of varied ones, for benchmarks and tests. */
export interface WorldShape {
  readonly devicesPerSite: number;
  readonly channelsPerDevice: number;
  readonly scalarStreamsPerSite: number;
}

/** What is odd about a site, on purpose. */
export interface SiteOddities {
  readonly hasNoCoordinates: boolean;
  readonly hasNoOrganization: boolean;
  /** Its first stream's values are words. */
  readonly hasBrokenSensor: boolean;
  /** Its last device has not been heard of for days. */
  readonly hasSilentDevice: boolean;
  /** A channel and two streams, all of one name. */
  readonly hasAmbiguousNames: boolean;
  /** Has a channel without stream, and a stream without channel. */
  readonly hasLooseEnds: boolean;
  readonly hasCamera: boolean;
}

export interface AttributeIds {
  readonly channelId: number;
  readonly calibrated: number;
  readonly assetOwner: number;
  readonly installDepth: number;
}

export interface SitePlan {
  readonly seed: number;
  /** Unix seconds at which the sandbox starts. */
  readonly now: number;
  readonly accountId: number;
  readonly organizationId: number;
  readonly organization: OrganizationPlan;
  /** The site's number within its organization, from 0. */
  readonly number: number;
  readonly attributes: AttributeIds;
  readonly oddities: SiteOddities;
  readonly shape: WorldShape | undefined;
}

/** A site while it is being planned. */
export interface PlannedSite {
  readonly world: World;
  readonly plan: SitePlan;
  readonly id: number;
  /** Unix seconds; its channels and streams are as old as the site. */
  readonly createdAt: number;
  readonly latitude: number;
  readonly longitude: number;
  /** How many quantities it measures so far. */
  measured: number;
}

/** Which of the many random numbers of a thing is meant. */
export const SALT = {
  name: 31,
  jitter: 32,
  count: 33,
  interval: 34,
  phase: 35,
  link: 36,
  age: 37,
  device: 38,
} as const;
