/** Plans both accounts. Pure: the result depends only on the options. */
import type { SlicedComputation } from '../../lib/slicedComputation.js';
import {
  ASSET_OWNERS,
  CINCINNATI,
  LIVESTOCK,
  type OrganizationPlan,
  PORTO,
  VINEYARDS,
  WEATHER,
} from './catalogue.js';
import { addChannel, addDevice, type PlannedDevice } from './planDevice.js';
import {
  addAmbiguousNames,
  addBrokenSensor,
  addCamera,
  addMeasurement,
  addScalarStream,
  addTagReader,
  addUnlinkedChannelAndStream,
  linkByAttribute,
  nextQuantity,
} from './planStream.js';
import { seededNoise, seededPick } from './seededNoise.js';
import {
  type AttributeIds,
  type PlannedSite,
  SALT,
  type SiteIrregularities,
  type SitePlan,
  type WorldShape,
} from './sitePlan.js';
import { createWorld, type World } from './world.js';

export interface WorldOptions extends Pick<SitePlan, 'seed' | 'now' | 'shape'> {
  readonly siteCount: number;
}

export const FIRST_ACCOUNT = 'Riverside Monitoring';
export const SECOND_ACCOUNT = 'Neighbour Monitoring';
const SECOND_ACCOUNT_SITES = 3;

/** Cincinnati comes first and often, so that even a small account has sites near each other. */
const TURNS = [
  CINCINNATI,
  CINCINNATI,
  CINCINNATI,
  WEATHER,
  LIVESTOCK,
  PORTO,
  CINCINNATI,
  LIVESTOCK,
  WEATHER,
  PORTO,
];

/** Each irregularity is at a separate site; in a small account, they share the last site. The first two sites have none. */
function irregularitiesOf(index: number, siteCount: number, isShaped: boolean): SiteIrregularities {
  if (siteCount < 3) return {};
  const isAt = (preferred: number) => index === Math.max(2, Math.min(preferred, siteCount - 1));
  const position = { hasNoCoordinates: isAt(4), hasNoOrganization: siteCount > 3 && isAt(5) };
  if (isShaped) return position;
  return {
    ...position,
    hasBrokenSensor: isAt(6),
    hasSilentDevice: isAt(7),
    hasAmbiguousNames: isAt(8),
    hasLooseEnds: index % 7 === 2,
    hasCamera: index % 6 === 3 || index === 2,
  };
}

const NEW_YORK = 'America/New_York';

const PEOPLE = [
  { name: 'gwen', first: 'Gwen', last: 'Harper', phone: '+15135550142', hasEmail: true, zone: NEW_YORK },
  { name: 'joao', first: 'João', last: 'Pinto', phone: null, hasEmail: true, zone: 'Europe/Lisbon' },
  { name: 'marit', first: 'Marit', last: null, phone: '+4755550117', hasEmail: false, zone: 'Europe/Oslo' },
  { name: 'dashboard', first: null, last: null, phone: null, hasEmail: false, zone: 'UTC' },
];

function planUsers(world: World, accountId: number): void {
  for (const { name, first, last, phone, hasEmail, zone } of PEOPLE) {
    const email = hasEmail ? `${name}@account${accountId}.test` : null;
    const formats = zone === NEW_YORK ? ['MM/dd/yyyy', 'hh:mm a'] : ['dd.MM.yyyy', 'HH:mm'];
    const id = world.nextId('user');
    world.rows.user.push([id, accountId, name, email, zone, first, last, phone, ...formats]);
  }
}

function planAttributes(world: World, accountId: number): AttributeIds {
  function add(target: 'site' | 'stream', name: string): number {
    const id = world.nextId('attribute');
    world.rows.attribute.push([id, accountId, target, name]);
    return id;
  }
  return {
    assetOwner: add('site', 'Asset owner'),
    installDepth: add('site', 'Install depth m'),
    channelId: add('stream', 'channel_id'),
    calibrated: add('stream', 'Last calibration'),
  };
}

function planOrganizations(world: World, accountId: number, plans: readonly OrganizationPlan[]) {
  return new Map(
    plans.map((plan) => {
      const id = world.nextId('organization');
      world.rows.organization.push([id, accountId, plan.name]);
      return [plan, id] as const;
    }),
  );
}

interface AccountPlan {
  readonly name: string;
  readonly turns: readonly OrganizationPlan[];
  readonly siteCount: number;
  irregularities(index: number): SiteIrregularities;
  readonly shape: WorldShape | undefined;
}

/** A few thousand rows per slice. */
const SITES_PER_SLICE = 100;

function* planAccount(world: World, options: WorldOptions, account: AccountPlan): SlicedComputation<void> {
  const accountId = world.nextId('account');
  world.rows.account.push([accountId, account.name]);
  planUsers(world, accountId);
  const attributes = planAttributes(world, accountId);
  const organizations = planOrganizations(world, accountId, [...new Set(account.turns)]);
  const numbers = new Map<OrganizationPlan, number>();
  for (let index = 0; index < account.siteCount; index++) {
    const organization = account.turns[index % account.turns.length] ?? CINCINNATI;
    const number = numbers.get(organization) ?? 0;
    numbers.set(organization, number + 1);
    planSite(world, {
      seed: options.seed,
      now: options.now,
      accountId,
      organizationId: organizations.get(organization) ?? 0,
      organization,
      number,
      attributes,
      irregularities: account.irregularities(index),
      shape: account.shape,
    });
    if ((index + 1) % SITES_PER_SLICE === 0) yield;
  }
}

/** Plans two accounts: the first with `siteCount` sites, the second with three. */
export function* planWorld(options: WorldOptions): SlicedComputation<World> {
  const world = createWorld();
  const { siteCount, shape } = options;
  yield* planAccount(world, options, {
    name: FIRST_ACCOUNT,
    turns: TURNS,
    siteCount,
    irregularities: (index) => irregularitiesOf(index, siteCount, shape !== undefined),
    shape,
  });
  yield* planAccount(world, options, {
    name: SECOND_ACCOUNT,
    turns: [VINEYARDS],
    siteCount: SECOND_ACCOUNT_SITES,
    irregularities: (index) => ({ hasCamera: index === 0 }),
    shape: undefined,
  });
  return world;
}

const DEVICE_COUNTS = [1, 1, 1, 1, 2, 2, 3] as const;
const CHANNEL_COUNTS = [2, 2, 2, 2, 2, 3, 3, 3, 4, 5, 8] as const;
const MIN_CHANNELS = 2;
const YEAR = 31_536_000;
const JITTER_DEGREES = 0.012;

function planSite(world: World, plan: SitePlan): void {
  const site = createSite(world, plan);
  world.rows.site.push(siteRow(site));
  addSiteAttributes(site);
  if (plan.shape) addExactly(site, plan.shape);
  else addVaried(site);
}

function createSite(world: World, plan: SitePlan): PlannedSite {
  const id = world.nextId('site');
  const { seed, now } = plan;
  const [, latitude, longitude] = placeOf(plan);
  const shift = (axis: number) => (seededNoise(seed, id, SALT.jitter, axis) - 0.5) * JITTER_DEGREES;
  const createdAt = now - YEAR - Math.floor(seededNoise(seed, id, SALT.age) * 4 * YEAR);
  const position = { latitude: latitude + shift(1), longitude: longitude + shift(2) };
  return { world, plan, id, createdAt, ...position, measured: 0 };
}

function placeOf({ organization: { places }, number }: SitePlan) {
  return places[number % places.length] ?? places[0];
}

function siteName({ plan, id }: PlannedSite): string {
  const { places, siteKinds } = plan.organization;
  const [place] = placeOf(plan);
  const round = Math.floor(plan.number / places.length);
  return `${seededPick(siteKinds, plan.seed, id, SALT.name)} ${place}${round > 0 ? ` ${round + 1}` : ''}`;
}

function siteRow(site: PlannedSite) {
  const { plan, id, latitude, longitude } = site;
  const { hasNoCoordinates, hasNoOrganization } = plan.irregularities;
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
  const { irregularities, organization } = site.plan;
  if (irregularities.hasBrokenSensor) addBrokenSensor(site, device);
  if (irregularities.hasAmbiguousNames) addAmbiguousNames(site, device);
  if (irregularities.hasLooseEnds) addUnlinkedChannelAndStream(site, device);
  if (irregularities.hasCamera) addCamera(site, device);
  if (organization.field === 'livestock') addTagReader(site, device);
}

function addVaried(site: PlannedSite): void {
  const { seed } = site.plan;
  const { hasSilentDevice = false } = site.plan.irregularities;
  const picked = seededPick(DEVICE_COUNTS, seed, site.id, SALT.count);
  const count = hasSilentDevice ? Math.max(2, picked) : picked;
  for (let index = 0; index < count; index++) {
    const device = addDevice(site, index, { isSilent: hasSilentDevice && index === count - 1 });
    if (index === 0) addExtras(site, device);
    const channels = Math.max(MIN_CHANNELS, seededPick(CHANNEL_COUNTS, seed, device.id, SALT.count));
    while (device.channels < channels) addMeasurement(site, device);
  }
}

/** Distributes the streams over the channels in turn, and links each by the custom attribute. */
function addExactly(site: PlannedSite, shape: WorldShape): void {
  const channels: { id: number; device: PlannedDevice }[] = [];
  for (let index = 0; index < shape.devicesPerSite; index++) {
    const device = addDevice(site, index, { isSilent: false });
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
