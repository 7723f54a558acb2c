/** Plans a site's streams: the quantity and interval of each, its threshold, and its link to a channel. */
import type { WireThresholdLevel } from '../../rest/wire.js';
import { readThresholdBody } from '../thresholdLevels.js';
import { QUANTITIES, type Quantity, type StreamKind, wave } from './catalogue.js';
import { addChannel, type PlannedDevice } from './planDevice.js';
import { seededHash, seededNoise, seededPick } from './seededNoise.js';
import type { Signal } from './signal.js';
import { type PlannedSite, SALT } from './sitePlan.js';
import type { Source } from './source.js';
import type { World } from './world.js';

const INTERVALS = [300, 600, 600, 900, 900, 900, 900, 900, 900, 900] as const;
const IMAGE_INTERVAL = 10_800;
const RFID_INTERVAL = 1800;
/**
 * Share of the channels that are linked to their stream by a common name. The others are linked by the custom
 * attribute.
 */
const SHARE_LINKED_BY_NAME = 0.2;

const CAMERA: StreamKind = { name: 'Camera', type: [20, 'Image', '', '1'] };
const READER: StreamKind = { name: 'Tag reader', type: [21, 'RFID', '', '1'] };
const TANK: StreamKind = { name: 'Tank level', type: [4, 'Level', 'm', '0.001'] };
const ESTIMATE: StreamKind = { name: 'Estimated loss', type: [2, 'Flow', 'l/s', '0.1'] };

/** The site's next quantity. A number from the second round on keeps names unique within the site. */
export function nextQuantity(site: PlannedSite): Quantity {
  const quantities = QUANTITIES[site.plan.organization.field];
  const index = site.measured++;
  const quantity = quantities[index % quantities.length] ?? quantities[0];
  const round = Math.floor(index / quantities.length);
  return round === 0 ? quantity : { ...quantity, name: `${quantity.name} ${round + 1}` };
}

function addStream({ world, plan, id: siteId, createdAt }: PlannedSite, kind: StreamKind): number {
  const id = world.nextId('stream');
  world.rows.stream.push([id, plan.accountId, siteId, createdAt, kind.name, ...kind.type, 1]);
  return id;
}

function levelsFor(signal: Extract<Signal, { shape: 'wave' }>): Partial<WireThresholdLevel>[] {
  const { base, amplitude } = signal;
  const limit = (times: number) => Number((base + amplitude * times).toFixed(2));
  return [
    { display_name: 'Low', comment: 'Below the usual range.', upper_limit: limit(-0.6) },
    { display_name: 'Normal', upper_limit: limit(0.75) },
    {
      display_name: 'High',
      comment: 'Someone should have a look.',
      false_alarm_filter: 120,
      sample_interval: 60,
      transmission_interval: 'event',
      transmit_immediately: true,
      notification_actions: [{ type: 'mail', user_group_id: 12, relevance_threshold: 1 }],
      output_actions: [{ type: 'set_up', channel_num: 3 }],
      sample_actions: [{ type: 'single', sample_group_id: 4 }],
    },
  ];
}

/** Gives every third wave-shaped stream a threshold. Parses the levels as a POST body, so that the same rules apply. */
function planThreshold(world: World, streamId: number, signal: Signal): void {
  if (streamId % 3 !== 0 || signal.shape !== 'wave') return;
  world.rows.threshold.push([streamId, JSON.stringify(readThresholdBody({ levels: levelsFor(signal) }))]);
}

export function addScalarStream(
  site: PlannedSite,
  device: PlannedDevice,
  kind: StreamKind,
  signal: Signal,
): number {
  const { world, plan } = site;
  const id = addStream(site, kind);
  const interval = seededPick(INTERVALS, plan.seed, id, SALT.interval);
  const phase = seededHash(plan.seed, id, SALT.phase) % interval;
  world.sources.push({ kind: 'scalar', id, deviceId: device.id, interval, phase, signal, ...device.silence });
  planThreshold(world, id, signal);
  return id;
}

export function linkByAttribute({ world, plan }: PlannedSite, streamId: number, channelId: number): void {
  const { channelId: attribute, calibrated } = plan.attributes;
  world.rows.attribute_value.push([attribute, streamId, String(channelId)]);
  if (streamId % 4 === 0) world.rows.attribute_value.push([calibrated, streamId, '2024-05-14']);
}

/** Adds a channel and its stream, linked by attribute or by a common name. */
export function addMeasurement(site: PlannedSite, device: PlannedDevice): void {
  const { seed } = site.plan;
  const isLinkedByName = seededNoise(seed, site.id, site.measured, SALT.link) < SHARE_LINKED_BY_NAME;
  const quantity = nextQuantity(site);
  const name = isLinkedByName ? quantity.name : undefined;
  const channelId = addChannel(site, device, quantity.channelType, name);
  const streamId = addScalarStream(site, device, quantity, quantity.signal);
  if (!isLinkedByName) linkByAttribute(site, streamId, channelId);
}

/** Adds a channel whose stream has words as values. */
export function addBrokenSensor(site: PlannedSite, device: PlannedDevice): void {
  const quantity = nextQuantity(site);
  const channelId = addChannel(site, device, quantity.channelType);
  linkByAttribute(site, addScalarStream(site, device, quantity, { shape: 'text' }), channelId);
}

/** Adds one channel and two streams with the same name, so that the channel's stream is ambiguous. */
export function addAmbiguousNames(site: PlannedSite, device: PlannedDevice): void {
  addChannel(site, device, 'ANALOG', TANK.name);
  for (let twin = 0; twin < 2; twin++) addScalarStream(site, device, TANK, wave(1.8, 0.5, 0.02));
}

export function addUnlinkedChannelAndStream(site: PlannedSite, device: PlannedDevice): void {
  addChannel(site, device, 'DIGITAL', 'Spare input');
  addScalarStream(site, device, ESTIMATE, wave(0.8, 0.4, 0.1));
}

export function addCamera(site: PlannedSite, device: PlannedDevice): void {
  addSerialStream(site, device, CAMERA, { kind: 'image', interval: IMAGE_INTERVAL });
}

export function addTagReader(site: PlannedSite, device: PlannedDevice): void {
  const { latitude, longitude } = site;
  addSerialStream(site, device, READER, { kind: 'rfid', interval: RFID_INTERVAL, latitude, longitude });
}

function addSerialStream(
  site: PlannedSite,
  device: PlannedDevice,
  stream: StreamKind,
  source: Omit<Source, 'id' | 'deviceId' | 'phase'>,
): void {
  const channelId = addChannel(site, device, 'SERIAL');
  const id = addStream(site, stream);
  linkByAttribute(site, id, channelId);
  const phase = seededHash(site.plan.seed, id, SALT.phase) % source.interval;
  site.world.sources.push({ id, deviceId: device.id, phase, ...source });
}
