/** The constants of the sandbox's world: organizations, places, devices and the quantities that they measure. */
import type { Signal } from './signal.js';

type Industry = 'water' | 'weather' | 'livestock';

type Place = readonly [name: string, latitude: number, longitude: number];

export interface StreamKind {
  readonly name: string;
  readonly type: readonly [streamTypeId: number, streamType: string, units: string, scale: string];
}

/** A quantity that a device measures on one channel into one stream. */
export interface Quantity extends StreamKind {
  readonly channelType: 'ANALOG' | 'DIGITAL' | 'COUNTER' | 'SERIAL';
  readonly signal: Signal;
}

export interface OrganizationPlan {
  readonly name: string;
  readonly field: Industry;
  /** The first part of site names such as `Pumping station Clifton`. */
  readonly siteKinds: readonly [string, ...string[]];
  readonly places: readonly [Place, ...Place[]];
}

export const CHANNEL_TYPES = { ANALOG: 1, DIGITAL: 2, COUNTER: 3, SERIAL: 4 } as const;

export const CINCINNATI: OrganizationPlan = {
  name: 'Queen City Water',
  field: 'water',
  siteKinds: ['Pumping station', 'District meter', 'Reservoir', 'Pressure zone'],
  places: [
    ['Mount Adams', 39.1081, -84.4986],
    ['Over-the-Rhine', 39.1117, -84.5155],
    ['Clifton', 39.1464, -84.52],
    ['Price Hill', 39.1106, -84.5694],
    ['Walnut Hills', 39.127, -84.486],
    ['Hyde Park', 39.1395, -84.443],
    ['Covington', 39.0837, -84.5086],
    ['Newport', 39.0914, -84.4958],
    ['Northside', 39.1617, -84.542],
    ['Avondale', 39.148, -84.495],
    ['Westwood', 39.1512, -84.599],
    ['Mount Washington', 39.087, -84.387],
  ],
};

export const PORTO: OrganizationPlan = {
  name: 'Douro Águas',
  field: 'water',
  siteKinds: ['District meter', 'Reservoir', 'Pumping station'],
  places: [
    ['Foz', 41.1507, -8.6712],
    ['Gaia', 41.1336, -8.6117],
    ['Matosinhos', 41.1844, -8.6963],
    ['Campanhã', 41.1496, -8.5855],
    ['Maia', 41.2357, -8.6199],
    ['Gondomar', 41.1444, -8.5322],
    ['Valongo', 41.1881, -8.4985],
  ],
};

export const WEATHER: OrganizationPlan = {
  name: 'Highline Weather',
  field: 'weather',
  siteKinds: ['Weather station', 'Snow station', 'Wind mast'],
  places: [
    ['Zermatt', 46.0207, 7.7491],
    ['Nordkette', 47.3126, 11.3836],
    ['Tromsø', 69.6492, 18.9553],
    ['Sonnblick', 47.054, 12.9577],
    ['Izaña', 28.309, -16.499],
    ['Sodankylä', 67.3666, 26.6289],
    ['Akureyri', 65.6835, -18.0878],
    ['Mount Cook', -43.7336, 170.0966],
    ['Ushuaia', -54.8019, -68.303],
  ],
};

export const LIVESTOCK: OrganizationPlan = {
  name: 'Open Range Livestock',
  field: 'livestock',
  siteKinds: ['Farm', 'Milking shed', 'Pasture'],
  places: [
    ['Waikato', -37.787, 175.2793],
    ['Ballinasloe', 53.3278, -8.2194],
    ['Dubbo', -32.2427, 148.6048],
    ['Santa Rosa', -36.6167, -64.2833],
    ['Amarillo', 35.1992, -101.8453],
    ['Beaufort West', -32.3567, 22.5829],
    ['Sneek', 53.0327, 5.658],
    ['Lismore', -28.8135, 153.2773],
  ],
};

/** The neighbouring account's only organization. */
export const VINEYARDS: OrganizationPlan = {
  name: 'Mosel Vineyards',
  field: 'weather',
  siteKinds: ['Vineyard'],
  places: [
    ['Bernkastel', 49.9161, 7.0764],
    ['Piesport', 49.8844, 6.9261],
    ['Traben', 49.9517, 7.1167],
  ],
};

export function wave(base: number, amplitude: number, noise: number, minimum = 0, maximum?: number): Signal {
  const top = maximum === undefined ? {} : { maximum };
  return { shape: 'wave', base, amplitude, noise, minimum, ...top };
}

function counter(base: number, perHour: number): Signal {
  return { shape: 'counter', base, perHour };
}

function createQuantity(
  name: string,
  channelType: Quantity['channelType'],
  type: StreamKind['type'],
  signal: Signal,
): Quantity {
  return { name, channelType, type, signal };
}

function temperature(name: string, signal: Signal): Quantity {
  return createQuantity(name, 'ANALOG', [3, 'Temperature', '°C', '0.1'], signal);
}

const battery = createQuantity(
  'Supply voltage',
  'ANALOG',
  [12, 'Voltage', 'V', '0.01'],
  wave(12.6, 0.3, 0.05),
);

export const QUANTITIES: Readonly<Record<Industry, readonly [Quantity, ...Quantity[]]>> = {
  water: [
    createQuantity('Inlet pressure', 'ANALOG', [1, 'Pressure', 'bar', '0.01'], wave(4.6, 0.7, 0.12)),
    createQuantity('Flow', 'ANALOG', [2, 'Flow', 'l/s', '0.1'], wave(18, 9, 1.4)),
    createQuantity('Volume', 'COUNTER', [6, 'Volume', 'm³', '1'], counter(120_000, 64)),
    createQuantity('Reservoir level', 'ANALOG', [4, 'Level', 'm', '0.001'], wave(3.2, 0.9, 0.03)),
    createQuantity('Outlet pressure', 'ANALOG', [1, 'Pressure', 'bar', '0.01'], wave(3.1, 0.4, 0.08)),
    createQuantity('Pump running', 'DIGITAL', [9, 'State', '', '1'], { shape: 'switch', dutyCycle: 0.55 }),
    temperature('Water temperature', wave(11.5, 1.2, 0.1)),
    createQuantity('Turbidity', 'SERIAL', [14, 'Turbidity', 'NTU', '0.01'], wave(0.35, 0.08, 0.05)),
    createQuantity('Chlorine', 'SERIAL', [15, 'Concentration', 'mg/l', '0.01'], wave(0.45, 0.07, 0.02)),
    battery,
  ],
  weather: [
    temperature('Air temperature', wave(7, 6, 0.4, -60)),
    createQuantity('Relative humidity', 'ANALOG', [5, 'Humidity', '%', '0.1'], wave(62, 18, 2, 0, 100)),
    createQuantity('Wind speed', 'SERIAL', [7, 'Speed', 'm/s', '0.1'], wave(5.5, 2.5, 1.8)),
    createQuantity('Rain', 'COUNTER', [8, 'Precipitation', 'mm', '0.1'], { shape: 'rain', most: 3.4 }),
    createQuantity('Solar radiation', 'ANALOG', [11, 'Irradiance', 'W/m²', '1'], { shape: 'sun', most: 860 }),
    createQuantity('Barometric pressure', 'SERIAL', [10, 'Air pressure', 'hPa', '0.1'], wave(1013, 4, 0.3)),
    temperature('Soil temperature', wave(8.5, 1.5, 0.1, -20)),
    createQuantity('Snow depth', 'SERIAL', [4, 'Level', 'm', '0.001'], wave(0.8, 0.04, 0.01)),
    createQuantity('Wind direction', 'SERIAL', [13, 'Angle', '°', '1'], wave(190, 90, 30, 0, 359)),
    battery,
  ],
  livestock: [
    createQuantity('Trough level', 'ANALOG', [4, 'Level', 'm', '0.001'], wave(0.62, 0.14, 0.02)),
    temperature('Barn temperature', wave(16, 4, 0.3, -20)),
    createQuantity('Water drunk', 'COUNTER', [6, 'Volume', 'm³', '0.01'], counter(900, 0.42)),
    createQuantity('Gate open', 'DIGITAL', [9, 'State', '', '1'], { shape: 'switch', dutyCycle: 0.2 }),
    createQuantity('Ammonia', 'SERIAL', [15, 'Concentration', 'mg/m³', '0.1'], wave(6, 2, 0.5)),
    createQuantity('Feed silo', 'ANALOG', [16, 'Mass', 't', '0.01'], wave(11, 1.1, 0.05)),
    createQuantity('Fence voltage', 'ANALOG', [12, 'Voltage', 'kV', '0.01'], wave(7.4, 0.5, 0.2)),
    createQuantity('Milk flow', 'ANALOG', [2, 'Flow', 'l/s', '0.01'], wave(0.8, 0.7, 0.1)),
    battery,
  ],
};

export const DEVICE_MODELS = ['FL-200', 'FL-400 LTE', 'FL-810 NB-IoT'] as const;
export const FIRMWARE = ['3.4.1', '3.4.7', '4.0.2', '4.1.0'] as const;
export const DEVICE_ROLES: Readonly<Record<Industry, readonly [string, string, string]>> = {
  water: ['Flow logger', 'Pressure logger', 'Quality probe'],
  weather: ['Station logger', 'Wind logger', 'Soil logger'],
  livestock: ['Trough logger', 'Barn logger', 'Gate reader'],
};
export const ASSET_OWNERS = ['Municipality', 'Utility', 'Contractor', 'Research'] as const;
export const LOG_MESSAGES = [
  ['modem', 'Registered in network, RSSI -71 dBm'],
  ['modem', 'Connection lost, retrying'],
  ['system', 'Clock synchronized'],
  ['system', 'Restarted by watchdog'],
  ['power', 'Supply voltage below 11.8 V'],
  ['server', 'Configuration received'],
  ['sensor', 'Channel 2 out of range'],
] as const;
