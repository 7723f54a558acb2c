/** What the processes of one gateway share with each other, where there are several: named here, done in `workers/`. */
import type { CredentialScope } from '../cache/cacheKey.js';
import type { PeerCaches } from '../cache/peerCaches.js';
import type { SharedRateCounts } from '../http/rateLimits/callerRateLimiter.js';
import type { MetricFamily } from '../lib/metricFamily.js';
import type { SamplePolls, StartPoll } from '../live/samplePoll.js';
import type { SharedTokenStore } from '../rest/auth/sharedTokenStore.js';

export interface PeerMetrics {
  /** How those of this process are read. */
  onRead(read: () => MetricFamily[]): void;
  /** Those of all processes together. */
  collect(): Promise<readonly MetricFamily[]>;
}

export interface Peers {
  /** How many processes serve, this one included. */
  processCount: number;
  /** Where those of one credential keep their token. */
  tokenStore(scope: CredentialScope): SharedTokenStore;
  caches: PeerCaches;
  /** One poll for all of them; `name` tells what one credential is sent from what another is. */
  polls(name: string, start: StartPoll): SamplePolls;
  metrics: PeerMetrics;
  /** Operations of each caller. */
  rateCounts: SharedRateCounts;
}
