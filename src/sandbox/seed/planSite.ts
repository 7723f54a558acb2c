/** Plans one site: its location, and the number of its devices, channels and streams. */
import { ASSET_OWNERS } from './catalogue.js';
import { addChannel, addDevice, type PlannedDevice } from './planDevice.js';
import {
  addAmbiguity,
  addBrokenSensor,
  addCamera,
  addLooseEnds,
  addMeasurement,
  addScalarStream,
  addTagReader,
  linkByAttribute,
  nextQuantity,
} from './planStream.js';
import { seededNoise, seededPick } from './seededNoise.js';
import { type PlannedSite, SALT, type SitePlan, type WorldShape } from './sitePlan.js';
import type { World } from './world.js';

const DEVICE_COUNTS = [1, 1, 1, 1, 2, 2, 3] as const;
const CHANNEL_COUNTS = [2, 2, 2, 2, 2, 3, 3, 3, 4, 5, 8] as const;
const MIN_CHANNELS = 2;
const YEAR = 31_536_000;
const JITTER_DEGREES = 0.012;

/** Adds a site to the world, with its attributes, devices, channels and streams. */
export function planSite(world: World, plan: SitePlan): void {
  const site = createSite(world, plan);
  world.rows.site.push(siteRow(site));
  addSiteAttributes(site);
  if (plan.shape) addExactly(site, plan.shape);
  else addVaried(site);
}

function createSite(world: World, plan: SitePlan): PlannedSite {
  const id = world.nextId('site');
  const { seed, now, organization } = plan;
  const place = organization.places[plan.number % organization.places.length] ?? organization.places[0];
  const shift = (axis: number) => (seededNoise(seed, id, SALT.jitter, axis) - 0.5) * JITTER_DEGREES;
  const latitude = place.latitude + shift(1);
  const longitude = place.longitude + shift(2);
  const createdAt = now - YEAR - Math.floor(seededNoise(seed, id, SALT.age) * 4 * YEAR);
  return { world, plan, id, createdAt, latitude, longitude, measured: 0 };
}

function siteName({ plan, id }: PlannedSite): string {
  const { places, siteKinds } = plan.organization;
  const place = places[plan.number % places.length] ?? places[0];
  const round = Math.floor(plan.number / places.length);
  return `${seededPick(siteKinds, plan.seed, id, SALT.name)} ${place.name}${round > 0 ? ` ${round + 1}` : ''}`;
}

function siteRow(site: PlannedSite) {
  const { plan, id, latitude, longitude } = site;
  const { hasNoCoordinates, hasNoOrganization } = plan.oddities;
  const status = id % 17 === 0 ? 'Inactive' : 'Active';
  const position = hasNoCoordinates ? ['', ''] : [latitude.toFixed(6), longitude.toFixed(6)];
  const organization = hasNoOrganization ? null : plan.organizationId;
  return [id, plan.accountId, site.createdAt, siteName(site), status, ...position, organization];
}

function addSiteAttributes({ world, plan, id }: PlannedSite): void {
  const { assetOwner, installDepth } = plan.attributes;
  world.rows.attribute_value.push([assetOwner, id, seededPick(ASSET_OWNERS, plan.seed, id)]);
  if (id % 3 === 0) return;
  const depth = (0.4 + seededNoise(plan.seed, id) * 2.6).toFixed(1);
  world.rows.attribute_value.push([installDepth, id, depth]);
}

function addExtras(site: PlannedSite, device: PlannedDevice): void {
  const { oddities, organization } = site.plan;
  if (oddities.hasBrokenSensor) addBrokenSensor(site, device);
  if (oddities.hasAmbiguousNames) addAmbiguity(site, device);
  if (oddities.hasLooseEnds) addLooseEnds(site, device);
  if (oddities.hasCamera) addCamera(site, device);
  if (organization.field === 'livestock') addTagReader(site, device);
}

function addVaried(site: PlannedSite): void {
  const { seed, oddities } = site.plan;
  const picked = seededPick(DEVICE_COUNTS, seed, site.id, SALT.count);
  const count = oddities.hasSilentDevice ? Math.max(2, picked) : picked;
  for (let index = 0; index < count; index++) {
    const device = addDevice(site, index, oddities.hasSilentDevice && index === count - 1);
    if (index === 0) addExtras(site, device);
    const channels = Math.max(MIN_CHANNELS, seededPick(CHANNEL_COUNTS, seed, device.id, SALT.count));
    while (device.channels < channels) addMeasurement(site, device);
  }
}

/** Distributes the streams over the channels in turn, and links each by the custom attribute. */
function addExactly(site: PlannedSite, shape: WorldShape): void {
  const channels: { id: number; device: PlannedDevice }[] = [];
  for (let index = 0; index < shape.devicesPerSite; index++) {
    const device = addDevice(site, index, false);
    for (let number = 0; number < shape.channelsPerDevice; number++) {
      channels.push({ id: addChannel(site, device, 'ANALOG'), device });
    }
  }
  for (let index = 0; index < shape.scalarStreamsPerSite; index++) {
    const channel = channels[index % channels.length];
    if (!channel) return;
    const quantity = nextQuantity(site);
    linkByAttribute(site, addScalarStream(site, channel.device, quantity, quantity.signal), channel.id);
  }
}
