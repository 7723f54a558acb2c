/** All operations that the page sends, and the types of their results. */
import type { Level } from './alarmLevels.js';

export interface Site {
  id: string;
  name: string;
  location: { latitude: number; longitude: number } | null;
}

export interface Sites {
  sites: { nodes: Site[] };
}

export const SITES = `query Sites {
  sites(first: 1000, orderBy: { field: NAME }) { nodes { id name location { latitude longitude } } }
}`;

export interface Alarm {
  id: string;
  name: string;
  units: string;
  site: { id: string; name: string } | null;
  threshold: { level: { name: string } | null };
  lastSample: { value: number; sampledAt: string } | null;
}

export interface Alarms {
  sites: { nodes: { id: string }[] };
  streams: { nodes: Alarm[] };
}

/**
 * A separate query, so that charts do not wait: for the alarms, a gateway with empty caches first reads the levels of all
 * streams.
 */
export const ALARMS = `query Alarms {
  sites(first: 1000, filter: { worstAlarm: [EVENT, EMERGENCY] }) { nodes { id } }
  streams(filter: { alarmLevel: [EVENT, EMERGENCY] }, orderBy: { field: ALARM_LEVEL, direction: DESC }) {
    nodes { id name units site { id name } threshold { level { name } } lastSample { value sampledAt } }
  }
}`;

export interface Stream {
  id: string;
  name: string;
  units: string;
}

export interface SiteStreams {
  site: { name: string; streams: Stream[] | null } | null;
}

export const SITE_STREAMS = `query SiteStreams($id: ID!) {
  site(id: $id) { name streams { id name units } }
}`;

/** Columns of equal length. `times` are Unix milliseconds. */
export interface Series {
  times: number[];
  values: (number | null)[];
  min: (number | null)[];
  max: (number | null)[];
  cursor: string;
  replaceFrom: number;
}

export interface StreamChart {
  threshold: { levels: Level[] | null };
  series: Series | null;
}

export interface Chart {
  stream: StreamChart | null;
}

/** With `after`, the result has only points that are new or have changed. */
export const CHART = `query Chart($id: ID!, $range: TimeRange!, $after: String) {
  stream(id: $id) {
    threshold {
      levels {
        name lowerLimit upperLimit
        transmissionInterval transmitImmediately notificationActions { type } outputActions { type }
      }
    }
    series(range: $range, maxPoints: 500, method: MEAN, after: $after) { times values min max cursor replaceFrom }
  }
}`;

export interface SampleReceived {
  sampleReceived: { stream: { id: string } | null };
}

export const SAMPLES = 'subscription Samples { sampleReceived(kinds: [SCALAR]) { stream { id } } }';
export const ALARM_CHANGES = 'subscription AlarmChanges { thresholdStatusChanged { cursor } }';
