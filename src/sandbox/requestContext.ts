import type { Clock } from '../lib/clock.js';
import type { Queries } from './database/queries.js';
import type { SampleArchive } from './seed/archive.js';

/** The API client that a token was issued to. */
export interface ApiClient {
  readonly id: number;
  readonly accountId: number;
}

export interface RequestContext {
  readonly client: ApiClient;
  readonly db: Queries;
  readonly clock: Clock;
  /** Call it before a query that may reach back beyond the seeded history. */
  readonly archive: SampleArchive;
  /** The sandbox's own address, the base of image URLs. */
  readonly url: string;
  /** The maximum number of samples in a page of the account's batch. */
  readonly batchLimit: number;
}
