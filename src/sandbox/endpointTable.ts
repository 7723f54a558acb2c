/** Every data endpoint of the API, in one list. */
import type { Endpoint } from './endpoint.js';
import { accountEndpoints } from './endpoints/account.js';
import { channelEndpoints } from './endpoints/channel.js';
import { deviceEndpoints } from './endpoints/device.js';
import { imageSampleEndpoints } from './endpoints/imageSample.js';
import { rfidSampleEndpoints } from './endpoints/rfidSample.js';
import { scalarSampleEndpoints } from './endpoints/scalarSample.js';
import { siteEndpoints } from './endpoints/site.js';
import { streamEndpoints } from './endpoints/stream.js';
import { thresholdEndpoints } from './endpoints/threshold.js';

export const endpointTable: readonly Endpoint[] = [
  ...accountEndpoints,
  ...siteEndpoints,
  ...deviceEndpoints,
  ...channelEndpoints,
  ...streamEndpoints,
  ...thresholdEndpoints,
  ...scalarSampleEndpoints,
  ...imageSampleEndpoints,
  ...rfidSampleEndpoints,
];
