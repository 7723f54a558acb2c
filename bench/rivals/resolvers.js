/** The resolvers of both rivals, for the fields of the measured operations. Objects are the rows of the REST API. */

const unixSeconds = (text) => Math.floor(Date.parse(text) / 1000);
const platformId = (id) => id.slice(id.indexOf(':') + 1);
const name = (row) => row.display_name;

function isWithin({ latitude, longitude }, { south, west, north, east }) {
  const [lat, long] = [Number(latitude), Number(longitude)];
  return lat >= south && lat <= north && long >= west && long <= east;
}

/** The platform's ranges have whole seconds and include both ends. The schema's ranges exclude `to`. */
async function samplesOf(streamId, { range: { from, to }, first }, { rest }) {
  const query = `fromDate=${unixSeconds(from)}&toDate=${unixSeconds(to)}&limit=${first}`;
  const { samples } = await rest.get(`/v2.0/stream/${streamId}/sample/range?${query}`);
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const isInRange = (ms) => ms >= fromMs && ms < toMs;
  return { nodes: samples.filter((sample) => isInRange(Date.parse(sample.sample_date))).slice(0, first) };
}

export const resolvers = {
  Query: {
    sites: async (_, { filter, first }, { rest }) => {
      const sites = await rest.get('/v2.0/site');
      const matching = filter?.within ? sites.filter((site) => isWithin(site, filter.within)) : sites;
      return { nodes: matching.slice(0, first) };
    },
    site: (_, { id }, { loaders }) => loaders.site.load(platformId(id)),
    stream: (_, { id }, { loaders }) => loaders.stream.load(platformId(id)),
  },
  Site: {
    name,
    organization: (site, _, { loaders }) => loaders.organization.load(site.account_organization_id),
    devices: (site, _, { loaders }) => loaders.devicesOfSite.load(site.id),
  },
  Organization: { name },
  Device: {
    name,
    serialNumber: (device) => device.serial_number,
    channels: async (device, _, { loaders }) => {
      const channels = await loaders.channelsOfDevice.load(device.id);
      return channels.map((channel) => ({ ...channel, site_id: device.site_id }));
    },
  },
  Channel: {
    name,
    /** Links a channel to the stream of its site with the same name, because REST has no channel id on a stream. */
    streams: async (channel, _, { loaders }) => {
      const streams = await loaders.streamsOfSite.load(channel.site_id);
      return streams.filter((stream) => stream.display_name === channel.display_name);
    },
  },
  Stream: {
    name,
    lastSample: (stream, _, { loaders }) => loaders.lastSample.load(stream.id),
    samples: (stream, page, context) => samplesOf(stream.id, page, context),
  },
  ScalarSample: {
    value: (sample) => Number(sample.value),
    sampledAt: (sample) => sample.sample_date,
  },
};
