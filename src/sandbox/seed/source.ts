/** The sources of samples: each one turns moments into rows, with gaps and late arrivals. */
import type { SqlValue } from '../database/queries.js';
import { toRfc3339 } from '../database/rows.js';
import { LOG_MESSAGES } from './catalogue.js';
import { seededHash, seededNoise, seededPick } from './seededNoise.js';
import { type Signal, valueAt } from './signal.js';

export interface Source {
  readonly kind: 'scalar' | 'image' | 'rfid' | 'health' | 'log';
  /** The stream's id; for health and log the device's id. */
  readonly id: number;
  /** An outage of the device affects all its streams. */
  readonly deviceId: number;
  /** Seconds between measurements, a multiple of 300. */
  readonly interval: number;
  /** Offset of its moments in seconds, below `interval`. */
  readonly phase: number;
  /** Unix seconds from which it emits nothing. */
  readonly silentFrom?: number;
  readonly signal?: Signal;
  /** RFID only: the reader's position. */
  readonly latitude?: number;
  readonly longitude?: number;
}

export interface Emission {
  readonly table: SampleTable;
  /** All columns after the id, in the order of the table. */
  readonly values: readonly SqlValue[];
}

export type Emit = (emission: Emission) => void;

export type SampleTable = 'scalar_sample' | 'image_sample' | 'rfid_sample' | 'device_health' | 'device_log';

export const SLOT_SECONDS = 300;
const GAP_CHANCE = 0.01;
const OUTAGE_WINDOW = 21_600;
const OUTAGE_CHANCE = 0.035;
const SALT = {
  gap: 11,
  outage: 12,
  start: 13,
  length: 14,
  fate: 15,
  tags: 16,
  rfid: 17,
  log: 18,
  health: 19,
};
const SEPARATORS = [',', ';', ' ', ', '] as const;

interface Outage {
  readonly start: number;
  readonly end: number;
  /** True: the samples arrive at the end. False: they are lost. */
  readonly isLate: boolean;
}

function outageAt(seed: number, deviceId: number, at: number): Outage | undefined {
  const window = Math.floor(at / OUTAGE_WINDOW);
  if (seededNoise(seed, deviceId, window, SALT.outage) >= OUTAGE_CHANCE) return undefined;
  const start = window * OUTAGE_WINDOW + seededNoise(seed, deviceId, window, SALT.start) * 9000;
  const end = start + 1800 + seededNoise(seed, deviceId, window, SALT.length) * 7200;
  if (at < start || at >= end) return undefined;
  return { start, end, isLate: seededNoise(seed, deviceId, window, SALT.fate) < 0.6 };
}

function emitScalar(source: Source, seed: number, at: number, emit: Emit): void {
  if (!source.signal || seededNoise(seed, source.id, at, SALT.gap) < GAP_CHANCE) return;
  const value = valueAt(source.signal, { seed, streamId: source.id, at });
  emit({ table: 'scalar_sample', values: [source.id, at, value] });
}

function emitImage(source: Source, _seed: number, at: number, emit: Emit): void {
  const isWide = source.id % 2 === 0;
  emit({ table: 'image_sample', values: [source.id, at, isWide ? 240 : 160, isWide ? 135 : 120] });
}

/** Fifteen digits as in ISO 11784. */
function tagOf(source: Source, index: number): string {
  return `982000${String(100_000_000 + (seededHash(source.id, index, SALT.tags) % 800_000_000))}`;
}

function emitRfid(source: Source, seed: number, at: number, emit: Emit): void {
  const luck = seededNoise(seed, source.id, at, SALT.rfid);
  if (luck < 0.45) return;
  const count = 1 + Math.floor(luck * 6);
  const first = seededHash(seed, source.id, at) % 40;
  const tags = Array.from({ length: count }, (_, index) => tagOf(source, (first + index) % 40));
  const separator = seededPick(SEPARATORS, seed, source.id, at);
  const gps = luck < 0.9 ? JSON.stringify(positionOf(source, at, luck)) : null;
  emit({ table: 'rfid_sample', values: [source.id, at, at - 240, at, tags.join(separator), gps] });
}

function positionOf(source: Source, at: number, luck: number): object {
  return {
    latitude: Number(((source.latitude ?? 0) + luck * 0.002).toFixed(6)),
    longitude: Number(((source.longitude ?? 0) - luck * 0.002).toFixed(6)),
    altitude: Math.round(80 + luck * 40),
    dilution_of_precision: Number((0.8 + luck).toFixed(1)),
    number_of_satellites: 6 + Math.floor(luck * 7),
    date: toRfc3339(at - 20),
  };
}

/** Counter types: 1 battery mV, 2 signal dBm, 3 temperature in tenths of °C, 4 restarts. */
function emitHealth(source: Source, seed: number, at: number, emit: Emit): void {
  const noise = seededNoise(seed, source.id, at, SALT.health);
  const values = [
    3500 + Math.round(noise * 200),
    -60 - Math.round(noise * 45),
    80 + Math.round(noise * 190),
    Math.floor(at / 1_209_600) - 1400,
  ];
  for (const [index, value] of values.entries()) {
    emit({ table: 'device_health', values: [source.id, at, index + 1, value] });
  }
}

function emitLog(source: Source, seed: number, at: number, emit: Emit): void {
  if (seededNoise(seed, source.id, at, SALT.log) > 0.06) return;
  const [part, message] = seededPick(LOG_MESSAGES, seed, source.id, at);
  emit({ table: 'device_log', values: [source.id, at, part, message] });
}

const EMITTERS = { scalar: emitScalar, image: emitImage, rfid: emitRfid, health: emitHealth, log: emitLog };

/** Emits the rows that arrive from a source at one of its moments: the current row, and delayed rows after an outage. */
export function emitAt(source: Source, seed: number, at: number, emit: Emit): void {
  if (source.silentFrom !== undefined && at >= source.silentFrom) return;
  const isSample = source.kind !== 'health' && source.kind !== 'log';
  if (isSample && outageAt(seed, source.deviceId, at)) return;
  EMITTERS[source.kind](source, seed, at, emit);
  if (!isSample) return;
  const before = outageAt(seed, source.deviceId, at - source.interval);
  if (!before?.isLate) return;
  for (let late = at - source.interval; late >= before.start; late -= source.interval) {
    EMITTERS[source.kind](source, seed, late, emit);
  }
}

/** Emits the row of a moment, however late it arrives, if it has arrived by `until`. Both are Unix seconds. */
export function emitArrived(source: Source, seed: number, at: number, until: number, emit: Emit): void {
  const arrival = arrivalOf(source, seed, at);
  if (arrival === undefined || arrival > until || arrival >= (source.silentFrom ?? arrival + 1)) return;
  EMITTERS[source.kind](source, seed, at, emit);
}

/** When the sample of a moment arrives. Undefined if it is lost. */
function arrivalOf({ deviceId, interval }: Source, seed: number, at: number): number | undefined {
  const outage = outageAt(seed, deviceId, at);
  if (!outage) return at;
  const next = at + Math.ceil((outage.end - at) / interval) * interval;
  return outage.isLate && !outageAt(seed, deviceId, next) ? next : undefined;
}
