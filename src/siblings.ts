/** What the processes of one gateway share with each other, where there are several: named here, done in `workers/`. */
import type { CredentialScope } from './cache/cacheKey.js';
import type { SiblingCaches } from './cache/siblingCaches.js';
import type { SharedCounts } from './http/callerRate.js';
import type { MetricFamily } from './lib/metricFamily.js';
import type { SamplePolls, StartPoll } from './live/samplePoll.js';
import type { SharedTokenStore } from './rest/token/sharedTokenStore.js';

export interface SiblingMetrics {
  /** How those of this process are read. */
  onRead(read: () => MetricFamily[]): void;
  /** Those of all processes together. */
  collect(): Promise<readonly MetricFamily[]>;
}

export interface Siblings {
  /** How many processes serve, this one included. */
  count: number;
  /** Where those of one credential keep their token. */
  tokenStore(scope: CredentialScope): SharedTokenStore;
  caches: SiblingCaches;
  /** One poll for all of them; `name` tells what one credential is sent from what another is. */
  polls(name: string, start: StartPoll): SamplePolls;
  metrics: SiblingMetrics;
  /** Operations of each caller. */
  counts: SharedCounts;
}
