/** All data endpoints of the API. */
import { accountEndpoints } from './account.js';
import { channelEndpoints } from './channel.js';
import { deviceEndpoints } from './device.js';
import type { SandboxEndpoint } from './endpoint.js';
import { imageSampleEndpoints } from './imageSample.js';
import { rfidSampleEndpoints } from './rfidSample.js';
import { scalarSampleEndpoints } from './scalarSample.js';
import { siteEndpoints } from './site.js';
import { streamEndpoints } from './stream.js';
import { thresholdEndpoints } from './threshold.js';

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
