/** Every question that the page asks, and the shape of its answer. */

export interface Site {
  id: string;
  name: string;
  worstAlarm: 'NONE' | 'EVENT' | 'EMERGENCY' | null;
  location: { latitude: number; longitude: number } | null;
}

export interface Alarm {
  id: string;
  name: string;
  units: string;
  site: { id: string; name: string } | null;
  threshold: { level: { name: string } | null };
  lastSample: { value: number; sampledAt: string } | null;
}

export interface Overview {
  sites: { nodes: Site[] };
  alarms: { nodes: Alarm[] };
}

export const OVERVIEW = `query Overview {
  sites(first: 1000, orderBy: { field: NAME }) { nodes { id name worstAlarm location { latitude longitude } } }
  alarms: streams(filter: { alarmLevel: [EVENT, EMERGENCY] }, orderBy: { field: ALARM_LEVEL, direction: DESC }) {
    nodes { id name units site { id name } threshold { level { name } } lastSample { value sampledAt } }
  }
}`;

export interface Level {
  name: string;
  lowerLimit: number | null;
  upperLimit: number | null;
  transmissionInterval: 'NORMAL' | 'EVENT' | 'EMERGENCY';
}

export interface Stream {
  id: string;
  name: string;
  units: string;
  threshold: { levels: Level[] | null };
}

export interface SiteStreams {
  site: { name: string; streams: Stream[] | null } | null;
}

export const SITE_STREAMS = `query SiteStreams($id: ID!) {
  site(id: $id) {
    name
    streams { id name units threshold { levels { name lowerLimit upperLimit transmissionInterval } } }
  }
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

export interface Chart {
  stream: { series: Series | null } | null;
}

/** With `after`, the answer has only what is new since. */
export const CHART = `query Chart($id: ID!, $range: TimeRange!, $after: String) {
  stream(id: $id) {
    series(range: $range, maxPoints: 500, method: MEAN, after: $after) { times values min max cursor replaceFrom }
  }
}`;

export interface SampleReceived {
  sampleReceived: { stream: { id: string } | null };
}

export const SAMPLES = 'subscription Samples { sampleReceived(kinds: [SCALAR]) { stream { id } } }';
export const ALARM_CHANGES = 'subscription AlarmChanges { thresholdStatusChanged { cursor } }';
