/** DataLoaders of one request, as they are commonly written: one REST call per key. */
import DataLoader from 'dataloader';

export function createLoaders({ get }) {
  const loader = (path) => new DataLoader((keys) => Promise.all(keys.map((key) => get(path(key)))));
  return {
    organization: loader((id) => `/v2.0/account/organization/${id}`),
    site: loader((id) => `/v2.0/site/${id}`),
    devicesOfSite: loader((id) => `/v2.0/site/${id}/devices`),
    streamsOfSite: loader((id) => `/v2.0/site/${id}/streams`),
    channelsOfDevice: loader((id) => `/v2.0/device/${id}/channels`),
    stream: loader((id) => `/v2.0/stream/${id}`),
    lastSample: loader((id) => `/v2.0/stream/${id}/sample/last`),
  };
}
