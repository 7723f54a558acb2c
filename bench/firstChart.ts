/**
 * Measures how long a visitor of an example waits for the first chart, on new gateways with a year of sandbox data: from
 * the start of the page in Chromium to its mark `chart`. A second visit finds the caches of the gateway filled.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { build, preview } from 'vite';
import { MAIN_FILE, startServer } from './shared/processes.js';
import { cpuSeconds } from './shared/processFigures.js';
import { median } from './shared/statistics.js';
import { print, tableHead, tableRow, toText } from './shared/tables.js';

const ROUNDS = 3;
const LIMIT_MS = 1000;
const YEAR = { PORT: '0', SANDBOX_PORT: '0', SANDBOX_DAYS: '365' };

interface Visit {
  /** From the start of the page to its first request: the browser's own time. */
  requestMs: number;
  chartMs: number;
  /** CPU time of the gateway, with the sandbox in it. */
  gatewayCpuMs: number;
}

async function visit(browser: Browser, url: string, gatewayPid: number): Promise<Visit> {
  const cpuBefore = cpuSeconds(gatewayPid);
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 } });
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForFunction('performance.getEntriesByName("chart").length > 0');
  const gatewayCpuMs = (cpuSeconds(gatewayPid) - cpuBefore) * 1000;
  const chartMs = await page.evaluate<number>('performance.getEntriesByName("chart")[0].startTime');
  const requestMs = await page.evaluate<number>(
    'performance.getEntriesByType("resource").find(({ name }) => name.endsWith("/graphql")).startTime',
  );
  await context.close();
  return { requestMs, chartMs, gatewayCpuMs };
}

async function measure(browser: Browser, root: string, configFile: string): Promise<[Visit, Visit]> {
  const gateway = await startServer([MAIN_FILE], YEAR);
  process.env['GATEWAY_URL'] = gateway.url;
  const server = await preview({ root, configFile, logLevel: 'silent', preview: { port: 0 } });
  const url = server.resolvedUrls?.local[0] ?? '';
  try {
    return [await visit(browser, url, gateway.pid), await visit(browser, url, gateway.pid)];
  } finally {
    gateway.stop();
    await server.close();
  }
}

function row(name: string, visits: readonly Visit[]): string {
  const typical = (of: (visit: Visit) => number) => toText(median(visits.map(of)));
  const figures = [
    typical(({ requestMs }) => requestMs),
    typical(({ chartMs }) => chartMs),
    typical(({ gatewayCpuMs }) => gatewayCpuMs),
  ];
  return tableRow([name, ...figures]);
}

async function main(): Promise<void> {
  const executablePath = process.env['CHROMIUM'] ?? execFileSync('which', ['chromium']).toString().trim();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  const configFile = fileURLToPath(new URL('../../examples/vite.config.ts', import.meta.url));
  print(tableHead(['example', 'first request ms', 'first chart ms', 'CPU ms of the gateway']));
  for (const name of ['dashboard', 'react']) {
    const root = fileURLToPath(new URL(`../../examples/${name}/`, import.meta.url));
    await build({ root, configFile });
    const rounds: [Visit, Visit][] = [];
    for (let round = 0; round < ROUNDS; round++) rounds.push(await measure(browser, root, configFile));
    const first = rounds.map(([visit]) => visit);
    print(row(`${name}, new gateway`, first));
    print(
      row(
        `${name}, second visit`,
        rounds.map(([, second]) => second),
      ),
    );
    if (median(first.map(({ chartMs }) => chartMs)) > LIMIT_MS) {
      print(`${name}: the first chart took more than ${LIMIT_MS} ms.`);
      process.exitCode = 1;
    }
  }
  await browser.close();
}

await main();
