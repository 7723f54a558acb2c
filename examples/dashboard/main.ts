/** The page: sites on a map and in a list, the charts of one site, and the alarms, all with live data. */
import { Chart, createRange } from './chart.js';
import { connect, query } from './gateway.js';
import * as operations from './operations.js';
import { createRefresh, untilLoaded } from './refresh.js';
import './style.css';

const RANGES = { Day: 1, Week: 7, Month: 30, Year: 365 } as const;

const $ = (id: string) => document.getElementById(id) as HTMLElement;

function element(tag: string, properties: object = {}, ...children: (Node | string)[]): HTMLElement {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

let sites: operations.Site[] = [];
/** Ids of sites with a stream in an alarm level. */
let sitesInAlarm = new Set<string>();
let siteId: string | undefined;
let range: keyof typeof RANGES = 'Year';
/** The charts of the site, by stream. */
let charts = new Map<string, Chart>();

function showSites(): void {
  const button = ({ id, name }: operations.Site) => {
    const children = sitesInAlarm.has(id) ? [name, element('b', { className: 'alarm' }, 'alarm')] : [name];
    return element('button', { onclick: () => open(id), ariaCurrent: String(id === siteId) }, ...children);
  };
  $('sites').replaceChildren(...sites.map((site) => element('li', {}, button(site))));
  $('map').innerHTML = sites
    .flatMap(({ id, location }) => {
      if (!location) return [];
      const classes = `${sitesInAlarm.has(id) ? 'alarm' : ''} ${id === siteId ? 'selected' : ''}`;
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

const refreshAlarms = createRefresh(async () => {
  const alarms = await query<operations.Alarms>(operations.ALARMS);
  sitesInAlarm = new Set(alarms.sites.nodes.map(({ id }) => id));
  showSites();
  showAlarms(alarms.streams.nodes);
}, showError);

function createChart({ id, units }: operations.Stream, place: HTMLElement): Chart {
  const days = RANGES[range];
  const load = async (after: string | undefined) => {
    const variables = { id, range: createRange(days), after };
    return (await query<operations.Chart>(operations.CHART, variables)).stream;
  };
  return new Chart(place, units, load, showError);
}

/** Loads the charts one after another, so that the first one appears soon. */
async function refreshAll(list: Iterable<Chart>): Promise<void> {
  for (const chart of list) await chart.refresh();
}

function removeCharts(): void {
  for (const chart of charts.values()) chart.destroy();
  charts = new Map();
  $('charts').replaceChildren();
}

/** Shows a site. Resolves when the first chart has been drawn or has failed. */
async function open(id: string): Promise<void> {
  if (id !== siteId) {
    removeCharts();
    $('site-title').textContent = sites.find((site) => site.id === id)?.name ?? '';
  }
  siteId = id;
  showSites();
  const load = async () =>
    siteId === id ? query<operations.SiteStreams>(operations.SITE_STREAMS, { id }) : undefined;
  const loaded = await untilLoaded(load, showError);
  if (!loaded || siteId !== id) return;
  const { site } = loaded;
  removeCharts();
  $('site-title').textContent = site?.name ?? 'Unknown site';
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
  charts = new Map(figures.map(({ stream, place }) => [stream.id, createChart(stream, place)]));
  const [first, ...others] = charts.values();
  await first?.refresh();
  void refreshAll(others);
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

function showError(error: unknown): void {
  showState(error instanceof Error ? error.message : String(error));
}

async function start(): Promise<void> {
  const loaded = await untilLoaded(() => query<operations.Sites>(operations.SITES), showError);
  sites = loaded.sites.nodes;
  showSites();
  if (sites[0]) await open(sites[0].id);
}

showRanges();
// Load alarms and live data after the first chart, so that the chart does not wait for them.
await start();
void refreshAlarms();
const subscribe = connect({
  onConnected() {
    showState('Live');
    void refreshAll(charts.values());
    void refreshAlarms();
  },
  onFresh: (asOf) => showState(`Live, ${asOf.toLocaleTimeString()}`),
  onLost: () => showState('Reconnecting …'),
});
subscribe<operations.SampleReceived>(operations.SAMPLES, ({ sampleReceived }) => {
  if (sampleReceived.stream) void charts.get(sampleReceived.stream.id)?.refresh();
});
subscribe(operations.ALARM_CHANGES, () => void refreshAlarms());
