/** Plans a site's devices and their channels. */
import { CHANNEL_TYPES, DEVICE_MODELS, DEVICE_ROLES, FIRMWARE, type Quantity } from './catalogue.js';
import { seededHash, seededPick } from './seededNoise.js';
import { type PlannedSite, SALT } from './sitePlan.js';

const SILENT_SECONDS = 4 * 86_400;
const HEALTH_INTERVAL = 21_600;
const LOG_INTERVAL = 3600;

export interface PlannedDevice {
  readonly id: number;
  /** Spread into the device's sources: the time from which they emit nothing, if any. */
  readonly silence: { readonly silentFrom?: number };
  channels: number;
}

/** Adds the site's device at this index, from 0, with the sources of its health and log. */
export function addDevice(
  site: PlannedSite,
  index: number,
  { isSilent }: { isSilent: boolean },
): PlannedDevice {
  const { world, plan } = site;
  const id = world.nextId('device');
  world.rows.device.push(deviceRow(site, id, index));
  const silence = isSilent ? { silentFrom: plan.now - SILENT_SECONDS } : {};
  const phase = seededHash(plan.seed, id, SALT.phase) % HEALTH_INTERVAL;
  const common = { id, deviceId: id, ...silence };
  world.sources.push({ ...common, kind: 'health', interval: HEALTH_INTERVAL, phase });
  world.sources.push({ ...common, kind: 'log', interval: LOG_INTERVAL, phase: phase % LOG_INTERVAL });
  return { id, silence, channels: 0 };
}

function deviceRow({ plan, id: siteId }: PlannedSite, id: number, index: number) {
  const { seed, accountId, organization } = plan;
  const digits = String(seededHash(seed, id, SALT.device) % 10_000_000).padStart(7, '0');
  const role = DEVICE_ROLES[organization.field][index % 3] ?? 'Logger';
  const secondCard = id % 4 === 0 ? `8931440${digits}${id}` : '';
  return [
    ...[id, accountId, siteId, `FG${id}-${digits}`, `${role} ${index + 1}`],
    seededPick(DEVICE_MODELS, seed, id),
    ...[`AK${digits}${id}`, `8944500${digits}${id}`, secondCard, `35${digits}${String(id).slice(-5)}`],
    seededPick(FIRMWARE, seed, id, 1),
  ];
}

/** Adds a channel and returns its id. Default name: type and number, for example `Analog 2`. */
export function addChannel(
  site: PlannedSite,
  device: PlannedDevice,
  type: Quantity['channelType'],
  name?: string,
): number {
  const { world, plan } = site;
  const id = world.nextId('channel');
  const number = ++device.channels;
  const displayName = name ?? `${type.charAt(0)}${type.slice(1).toLowerCase()} ${number}`;
  const status = device.silence.silentFrom === undefined ? [1, 'Active'] : [2, 'No contact'];
  const kind = [CHANNEL_TYPES[type], type];
  world.rows.channel.push([
    ...[id, plan.accountId, device.id, site.createdAt, displayName, number],
    ...[...kind, ...status],
  ]);
  return id;
}
