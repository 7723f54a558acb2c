/** The page: sites on a map and in a list, the charts of one site, the alarms, all of it live. */
import { Chart } from './chart.js';
import { connect, query } from './gateway.js';
import * as operations from './operations.js';
import './style.css';

const DAY_MS = 86_400_000;
const RANGES = { Day: 1, Week: 7, Month: 30, Year: 365 } as const;

const $ = (id: string) => document.getElementById(id) as HTMLElement;

function element(tag: string, properties: object = {}, ...children: (Node | string)[]): HTMLElement {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

let sites: operations.Site[] = [];
let siteId: string | undefined;
let range: keyof typeof RANGES = 'Year';
/** The charts of the site, by stream. */
let charts = new Map<string, { chart: Chart; from: Date }>();

function showSites(): void {
  const button = ({ id, name, worstAlarm }: operations.Site) => {
    const children = worstAlarm === 'NONE' ? [name] : [name, element('b', { className: 'alarm' }, 'alarm')];
    return element('button', { onclick: () => open(id), ariaCurrent: String(id === siteId) }, ...children);
  };
  $('sites').replaceChildren(...sites.map((site) => element('li', {}, button(site))));
  $('map').innerHTML = sites
    .flatMap(({ id, location, worstAlarm }) => {
      if (!location) return [];
      const classes = `${worstAlarm === 'NONE' ? '' : 'alarm'} ${id === siteId ? 'selected' : ''}`;
      const [x, y] = [location.longitude + 180, 80 - location.latitude];
      return `<circle class="${classes}" cx="${x}" cy="${y}" r="4"/>`;
    })
    .join('');
}

function showAlarms(alarms: readonly operations.Alarm[]): void {
  const rows = alarms.map(({ name, units, site, threshold, lastSample }) => {
    const value = `${name} ${lastSample?.value ?? ''} ${units}`;
    const when = lastSample ? new Date(lastSample.sampledAt).toLocaleString() : '';
    const parts = [element('b', { className: 'alarm' }, threshold.level?.name ?? ''), ` ${value} `];
    const row = [...parts, element('span', { className: 'when' }, `${site?.name ?? ''}, ${when}`)];
    return element('li', {}, element('button', { onclick: () => site && open(site.id) }, ...row));
  });
  $('alarms').replaceChildren(
    ...(rows.length > 0 ? rows : [element('li', {}, 'No stream is in an alarm level.')]),
  );
}

/** Returns the site to begin with: that of the first alarm, or the first one. */
async function loadOverview(): Promise<string | undefined> {
  const overview = await query<operations.Overview>(operations.OVERVIEW);
  sites = overview.sites.nodes;
  showSites();
  showAlarms(overview.alarms.nodes);
  return overview.alarms.nodes[0]?.site?.id ?? sites[0]?.id;
}

/** Loads a chart, or with a cursor only what is new. */
async function load(streamId: string): Promise<void> {
  const entry = charts.get(streamId);
  if (!entry) return;
  const { chart, from } = entry;
  const variables = { id: streamId, range: { from, to: new Date(Date.now() + DAY_MS) }, after: chart.cursor };
  const { stream } = await query<operations.Chart>(operations.CHART, variables);
  // In the meantime another site may have been opened.
  if (stream?.series && charts.get(streamId) === entry) chart.add(stream.series);
}

async function open(id: string): Promise<void> {
  siteId = id;
  showSites();
  const { site } = await query<operations.SiteStreams>(operations.SITE_STREAMS, { id });
  if (siteId !== id) return;
  for (const { chart } of charts.values()) chart.destroy();
  charts = new Map();
  $('site-title').textContent = site?.name ?? 'Unknown site';
  const from = new Date(Date.now() - RANGES[range] * DAY_MS);
  const figures = (site?.streams ?? [])
    .filter(({ units }) => units !== '')
    .map((stream) => {
      const place = element('div', {
        className: 'plot',
        role: 'img',
        ariaLabel: `${stream.name} in ${stream.units}`,
      });
      const caption = element('figcaption', {}, element('b', {}, stream.name), stream.units);
      return { stream, place, figure: element('figure', {}, caption, place) };
    });
  $('charts').replaceChildren(...figures.map(({ figure }) => figure));
  for (const { stream, place } of figures) {
    charts.set(stream.id, { chart: new Chart(place, stream.units, stream.threshold.levels ?? []), from });
  }
  // One after the other, so that the first chart is there soon.
  for (const { stream } of figures) await load(stream.id);
}

function showRanges(): void {
  const names = Object.keys(RANGES) as (keyof typeof RANGES)[];
  const select = (name: keyof typeof RANGES) => {
    range = name;
    showRanges();
    if (siteId) void open(siteId);
  };
  const buttons = names.map((name) =>
    element('button', { onclick: () => select(name), ariaPressed: String(name === range) }, name),
  );
  $('ranges').replaceChildren(...buttons);
}

function showState(text: string): void {
  $('live').textContent = text;
}

addEventListener('unhandledrejection', (event) => {
  event.preventDefault();
  showState(String(event.reason));
});
showRanges();
const firstSite = await loadOverview();
if (firstSite !== undefined) void open(firstSite);
const subscribe = connect({
  onConnected() {
    showState('Live');
    for (const streamId of charts.keys()) void load(streamId);
  },
  onFresh: (asOf) => showState(`Live, ${asOf.toLocaleTimeString()}`),
  onLost: () => showState('Reconnecting …'),
});
subscribe<operations.SampleReceived>(operations.SAMPLES, ({ sampleReceived }) => {
  if (sampleReceived.stream) void load(sampleReceived.stream.id);
});
subscribe(operations.ALARM_CHANGES, () => void loadOverview());
