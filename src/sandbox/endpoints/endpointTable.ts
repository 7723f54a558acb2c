/** All data endpoints of the API. */
import { deviceEndpoints } from './device.js';
import type { SandboxEndpoint } from './endpoint.js';
import { imageSampleEndpoints, rfidSampleEndpoints } from './imageAndRfidSample.js';
import { scalarSampleEndpoints } from './scalarSample.js';
import { accountEndpoints, siteEndpoints } from './site.js';
import { channelEndpoints, streamEndpoints, thresholdEndpoints } from './stream.js';

export const endpointTable: readonly SandboxEndpoint[] = [
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
