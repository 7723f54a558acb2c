/**
 * Measures how the cost of an operation grows with the page and not with the account: REST calls beside the lower bound,
 * time, memory and the longest turn of the event loop, over accounts of 50 to 10,000 sites, and the REST calls of all
 * sites of a large sandbox. With `--short` over two accounts. Fails if an operation takes more than 1.1 times its
 * lower bound plus a few calls to learn which lists are truncated, or if a repeated operation takes more than a few
 * calls.
 */
import type { LoopReport } from '../loopWatch.js';
import { postOperation } from '../shared/graphql.js';
import { startGateway, startHelper } from '../shared/processes.js';
import { print, tableHead, tableRow, toText } from '../shared/tables.js';
import type { AccountStubReport } from './accountShape.js';
import { lowerBoundOfPage } from './lowerBound.js';
import { measureSandbox, SANDBOX_SITES } from './sandboxAccount.js';

interface Page {
  name: string;
  /** Sites of the page. */
  sites: number;
  query: string;
}

interface Measured {
  page: Page;
  siteCount: number;
  lowerBound: number;
  cold: number;
  again: number;
  milliseconds: number;
  report: LoopReport;
}

const SIZES = [50, 500, 2000, 3000, 10_000];
const SHORT_SIZES = [50, 2000];
/** One call for each list that turns out to be truncated. */
const LEARNING_CALLS = 6;
const MAX_CALLS_AGAIN = 5;

const fields =
  'id name devices { id name channels { id name streams { id } } } streams { id name lastSample { value sampledAt } }';

const pages: readonly Page[] = [
  { name: 'one site', sites: 1, query: `{ site(id: "100007") { ${fields} } }` },
  { name: 'page of 100', sites: 100, query: `{ sites(first: 100) { nodes { ${fields} } } }` },
  { name: 'page of 1,000', sites: 1000, query: `{ sites(first: 1000) { nodes { ${fields} } } }` },
];

async function measure(siteCount: number, page: Page): Promise<Measured> {
  const file = new URL('./accountStub.js', import.meta.url);
  const { helper, first } = await startHelper<'count', AccountStubReport>(file, [String(siteCount)]);
  const port = 'port' in first ? first.port : 0;
  const limits = { MAX_REST_CALLS: '20000', MAX_COST: '100000000', MAX_CALLER_BYTES: '1000000000' };
  const nodeArguments = ['--import', new URL('../loopWatch.js', import.meta.url).href];
  const gateway = await startGateway(`http://127.0.0.1:${port}`, limits, { nodeArguments, hasChannel: true });
  const count = async () => {
    const report = await helper.request('count');
    return 'calls' in report ? Object.values(report.calls).reduce((sum, calls) => sum + calls, 0) : 0;
  };
  try {
    await gateway.request('report');
    const startMs = performance.now();
    await ask(gateway.url, page.query);
    const milliseconds = performance.now() - startMs;
    const cold = await count();
    await ask(gateway.url, page.query);
    const report = (await gateway.request('report')) as LoopReport;
    const again = (await count()) - cold;
    return {
      page,
      siteCount,
      lowerBound: lowerBoundOfPage(siteCount, page.sites),
      cold,
      again,
      milliseconds,
      report,
    };
  } finally {
    gateway.stop();
    helper.stop();
  }
}

async function ask(url: string, query: string): Promise<void> {
  const { body } = await postOperation(url, query);
  if (body.errors) throw new Error(`The operation failed: ${body.errors[0]?.message}`);
}

function isExceeded({ cold, again, lowerBound }: Measured): boolean {
  return cold > 1.1 * lowerBound + LEARNING_CALLS || again > MAX_CALLS_AGAIN;
}

async function main(sizes: readonly number[]): Promise<void> {
  print(
    tableHead([
      'operation',
      'sites',
      'lower bound',
      'cold',
      'again',
      'cold ms',
      'peak MB',
      'longest turn ms',
      'with helpers',
    ]),
  );
  for (const page of pages) {
    for (const siteCount of sizes) {
      const measured = await measure(siteCount, page);
      const { lowerBound, cold, again, milliseconds, report } = measured;
      const figures = [milliseconds, report.peakMegabytes, report.maxMainMs, report.maxBusyMs].map(toText);
      const counts = [siteCount, lowerBound, cold, again].map((number) => number.toLocaleString('en'));
      print(tableRow([page.name, ...counts, ...figures]));
      if (isExceeded(measured)) process.exitCode = 1;
    }
  }
  await printSandbox();
  if (process.exitCode === 1) print('\nAn operation takes more calls than it may.');
}

async function printSandbox(): Promise<void> {
  const { streams, unsampled, lowerBound, calls, byTemplate } = await measureSandbox();
  print(
    `\nAll ${SANDBOX_SITES.toLocaleString('en')} sites of the sandbox with last samples of ${streams.toLocaleString('en')} streams, ` +
      `${unsampled} of them without samples: ${calls} calls, ${toText(calls / lowerBound)} times the lower bound of ${lowerBound}.`,
  );
  for (const [template, count] of byTemplate) print(`- ${template}: ${count}`);
  if (calls > 1.1 * lowerBound) process.exitCode = 1;
}

await main(process.argv.includes('--short') ? SHORT_SIZES : SIZES);
