/** The input for planning a site. */
import type { OrganizationPlan } from './catalogue.js';
import type { World } from './world.js';

/** Exact numbers instead of varied ones, for benchmarks and tests. */
export interface WorldShape {
  readonly devicesPerSite: number;
  readonly channelsPerDevice: number;
  readonly scalarStreamsPerSite: number;
}

/** Deliberate irregularities of a site. */
export interface SiteIrregularities {
  readonly hasNoCoordinates?: boolean;
  readonly hasNoOrganization?: boolean;
  /** The values of the first stream are words. */
  readonly hasBrokenSensor?: boolean;
  /** The last device has sent nothing for days. */
  readonly hasSilentDevice?: boolean;
  /** A channel and two streams have the same name. */
  readonly hasAmbiguousNames?: boolean;
  /** One channel has no stream, and one stream has no channel. */
  readonly hasLooseEnds?: boolean;
  readonly hasCamera?: boolean;
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
  readonly irregularities: SiteIrregularities;
  readonly shape: WorldShape | undefined;
}

export interface PlannedSite {
  readonly world: World;
  readonly plan: SitePlan;
  readonly id: number;
  /** Unix seconds. Also the creation time of its channels and streams. */
  readonly createdAt: number;
  readonly latitude: number;
  readonly longitude: number;
  /** The number of quantities planned so far. */
  measured: number;
}

/** Distinguishes the random numbers of one object. */
export const SALT = {
  name: 31,
  jitter: 32,
  count: 33,
  interval: 34,
  phase: 35,
  link: 36,
  age: 37,
  device: 38,
};
