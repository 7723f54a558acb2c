/** Counts the REST calls of all sites of a large sandbox with last samples, page by page. */
import { startCountingProxy } from '../shared/countingProxy.js';
import { queryData } from '../shared/graphql.js';
import { startGateway, startSandbox } from '../shared/processes.js';
import { lowerBoundOfLastSamples, type SampledSite } from './lowerBound.js';

export const SANDBOX_SITES = 2000;
const PAGE_SITES = 1000;
const query = `query ($after: String) {
  sites(first: ${PAGE_SITES}, after: $after) {
    nodes { id streams { id lastSample { sampledAt value } } }
    pageInfo { hasNextPage endCursor }
  }
}`;

interface SitesPage {
  sites: {
    nodes: readonly SampledSite[];
    pageInfo: { hasNextPage: boolean; endCursor: string | null };
  };
}

interface MeasuredSandbox {
  streams: number;
  unsampled: number;
  lowerBound: number;
  calls: number;
  /** Calls by endpoint. */
  byTemplate: ReadonlyMap<string, number>;
}

/** Throws if the operation has errors. */
export async function measureSandbox(siteCount = SANDBOX_SITES): Promise<MeasuredSandbox> {
  const sandbox = await startSandbox({ SANDBOX_SITES: String(siteCount), SANDBOX_DAYS: '1' });
  const proxy = await startCountingProxy(sandbox.url);
  const limits = { MAX_REST_CALLS: '20000', MAX_COST: '100000000', MAX_CALLER_BYTES: '1000000000' };
  const gateway = await startGateway(proxy.url, limits);
  try {
    const nowMs = Date.now();
    const sites: SampledSite[] = [];
    for (let after: string | null = null, hasNextPage = true; hasNextPage; ) {
      const page: SitesPage = await queryData<SitesPage>(gateway.url, query, { after });
      sites.push(...page.sites.nodes);
      ({ hasNextPage, endCursor: after } = page.sites.pageInfo);
    }
    const calls = proxy.drain().filter((call) => call.startsWith('GET /v2.0'));
    const byTemplate = new Map<string, number>();
    for (const call of calls) {
      const template = call.replace(/\?.*/, '').replace(/\d{2,}/, '#');
      byTemplate.set(template, (byTemplate.get(template) ?? 0) + 1);
    }
    const streams = sites.flatMap((site) => site.streams);
    return {
      streams: streams.length,
      unsampled: streams.filter(({ lastSample }) => lastSample === null).length,
      lowerBound: lowerBoundOfLastSamples(sites, nowMs),
      calls: calls.length,
      byTemplate,
    };
  } finally {
    gateway.stop();
    proxy.close();
    sandbox.stop();
  }
}
