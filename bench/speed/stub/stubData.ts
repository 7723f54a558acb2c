/** The account that the stub serves, in wire format. Pure. */

const SIZES = {
  organizations: 4,
  sites: 50,
  devicesPerSite: 2,
  channelsPerDevice: 4,
  /** Each stream shares its name with one of the site's eight channels. */
  streamsPerSite: 4,
} as const;

/** All streams are sampled at the same moments, at the default interval of the platform's devices. */
export const SAMPLE_STEP_SECONDS = 300;
/** Eight days. The operations read the last seven. */
export const SAMPLES_PER_STREAM = 8 * 288;

/** All ids of a kind have the same number of digits. */
const FIRST_IDS = { organization: 1, site: 101, device: 1001, channel: 10_001, stream: 20_001 } as const;
const FIRST_SAMPLE_ID = 1_000_000;

const QUANTITIES = [
  { type: 'Pressure', units: 'bar' },
  { type: 'Level', units: 'm' },
  { type: 'Flow', units: 'l/s' },
  { type: 'Temperature', units: '°C' },
] as const;

export interface Row {
  id: number;
  [field: string]: unknown;
}

export interface Account {
  organizations: Row[];
  sites: Row[];
  devices: (Row & { site_id: number; serial_number: string })[];
  channels: (Row & { device_id: number })[];
  streams: (Row & { site_id: number })[];
  siteAttributes: (Row & { parent_id: number })[];
  streamAttributes: (Row & { parent_id: number })[];
}

const CREATED = '2024-03-01T08:00:00Z';
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);
const twoDigits = (number: number) => String(number).padStart(2, '0');

export function createAccount(): Account {
  const { organizations, sites, devicesPerSite, channelsPerDevice, streamsPerSite } = SIZES;
  const siteRows = upTo(sites).map(toSite);
  const streams = upTo(sites * streamsPerSite).map(toStream);
  return {
    organizations: upTo(organizations).map(toOrganization),
    sites: siteRows,
    devices: upTo(sites * devicesPerSite).map(toDevice),
    channels: upTo(sites * devicesPerSite * channelsPerDevice).map(toChannel),
    streams,
    siteAttributes: siteRows.map(({ id }) => toAttribute(1, 'region', id)),
    streamAttributes: streams.map(({ id }) => toAttribute(2, 'asset', id)),
  };
}

function toOrganization(index: number): Row {
  return { id: FIRST_IDS.organization + index, account_id: 1, display_name: `Organization ${index + 1}` };
}

function toSite(index: number): Row {
  return {
    id: FIRST_IDS.site + index,
    creation_date: CREATED,
    display_name: `Site ${twoDigits(index + 1)}`,
    status: 'Active',
    latitude: (39 + index / 100).toFixed(6),
    longitude: (-84 - index / 100).toFixed(6),
    account_organization_id: FIRST_IDS.organization + (index % SIZES.organizations),
  };
}

function toDevice(index: number) {
  const site = Math.floor(index / SIZES.devicesPerSite);
  return {
    id: FIRST_IDS.device + index,
    serial_number: `SN${700_000 + index}`,
    display_name: `Logger ${(index % SIZES.devicesPerSite) + 1}`,
    model_number: 'FG-200',
    site_id: FIRST_IDS.site + site,
    site_display_name: `Site ${twoDigits(site + 1)}`,
    akid: `AK${700_000 + index}`,
    iccid: '8901000000000000001',
    iccid2: '',
    meid: '',
    firmware_version: '4.2.0',
  };
}

function toChannel(index: number) {
  const onSite = index % (SIZES.devicesPerSite * SIZES.channelsPerDevice);
  return {
    id: FIRST_IDS.channel + index,
    device_id: FIRST_IDS.device + Math.floor(index / SIZES.channelsPerDevice),
    creation_date: CREATED,
    display_name: `Channel ${onSite + 1}`,
    on_device_num: index % SIZES.channelsPerDevice,
    type_id: 1,
    type_display_name: 'ANALOG',
    status_id: 1,
    display_status_name: 'Active',
  };
}

/** Shares its name with every other channel of its site, so that each device has two streams. */
function toStream(index: number) {
  const onSite = index % SIZES.streamsPerSite;
  const quantity = QUANTITIES[onSite] ?? QUANTITIES[0];
  return {
    id: FIRST_IDS.stream + index,
    site_id: FIRST_IDS.site + Math.floor(index / SIZES.streamsPerSite),
    creation_date: CREATED,
    display_name: `Channel ${onSite * 2 + 1}`,
    type_id: onSite + 1,
    type_display_name: quantity.type,
    units: quantity.units,
    value_scale: '1',
    status_id: 1,
  };
}

function toAttribute(id: number, name: string, parentId: number) {
  return { id, display_name: name, parent_id: parentId, value: `${name} of ${parentId}` };
}

/** A sample as JSON. `age` counts back from the newest sample, which has age 0. */
export function toSampleText(streamId: number, age: number, newestUnixSeconds: number): string {
  const { sites, streamsPerSite } = SIZES;
  const step = SAMPLES_PER_STREAM - age;
  const id = FIRST_SAMPLE_ID + step * sites * streamsPerSite + (streamId - FIRST_IDS.stream);
  const date = new Date((newestUnixSeconds - age * SAMPLE_STEP_SECONDS) * 1000).toISOString();
  const value = (100 + ((streamId * 7 + step * 13) % 800) / 4).toFixed(4);
  return `{"id":${id},"stream_id":${streamId},"sample_date":"${date.slice(0, 19)}Z","value":"${value}"}`;
}
