/** Runs the built gateway with several workers and a sandbox, and connects to each of them separately. */
import { execFileSync } from 'node:child_process';
import { Agent, request } from 'node:http';
import { systemClock } from '../../../src/lib/clock.js';
import type { SandboxOptions } from '../../../src/sandbox/sandbox.js';
import { type StartedProcess, start, urlIn } from '../../cli/startedProcess.js';
import { cleanUpAfterTest } from '../cleanUp.js';
import type { GraphqlBody } from '../gateway.js';
import { startSandbox } from '../sandbox/sandbox.js';
import type { TestSandbox } from '../sandbox/testSandbox.js';

export interface WorkerGateway {
  url: string;
  sandbox: TestSandbox;
  process: StartedProcess;
  /** The processes that serve. */
  workerPids(): number[];
  /** See `connectTo`. */
  connect(): WorkerConnection;
}

export interface WorkerConnection {
  ask<Data>(query: string, headers?: Readonly<Record<string, string>>): Promise<GraphqlBody<Data>>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<{ status: number; text: string }>;
}

const agents = new Set<Agent>();

cleanUpAfterTest(() => {
  for (const agent of agents) agent.destroy();
  agents.clear();
});

export async function startWorkerGateway(
  options: { sandbox?: SandboxOptions; environment?: Record<string, string> } = {},
): Promise<WorkerGateway> {
  // The gateway's processes read the system's clock, so the sandbox does as well.
  const sandbox = await startSandbox({ siteCount: 3, clock: systemClock, ...options.sandbox });
  const [{ key, secret }] = sandbox.credentials;
  const platform = { PLATFORM_URL: sandbox.url, PLATFORM_KEY: key, PLATFORM_SECRET: secret };
  const environment = { WORKERS: '2', ...platform, ...options.environment };
  const process = start([], environment);
  const url = urlIn(await process.startupOutput());
  return { url, sandbox, process, workerPids: () => childrenOf(process.pid), connect: () => connectTo(url) };
}

/** The running processes; zombies are not counted. */
function listProcesses(): { pid: number; parent: number }[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , state = '']) => !state.startsWith('Z'))
    .map(([pid, parent]) => ({ pid: Number(pid), parent: Number(parent) }));
}

export function childrenOf(pid: number): number[] {
  return listProcesses()
    .filter(({ parent }) => parent === pid)
    .map((child) => child.pid);
}

export function isRunning(pid: number): boolean {
  return listProcesses().some((one) => one.pid === pid);
}

/** A separate connection to a gateway; each new one goes to the next worker. */
export function connectTo(url: string): WorkerConnection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  agents.add(agent);

  function send(path: string, headers: Readonly<Record<string, string>>, body?: string) {
    return new Promise<{ status: number; text: string }>((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST';
      const sent = request(new URL(path, url), { agent, method, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.on('error', reject).end(body);
    });
  }

  return {
    async ask<Data>(query: string, headers: Readonly<Record<string, string>> = {}) {
      const json = { 'Content-Type': 'application/json', ...headers };
      const { text } = await send('/graphql', json, JSON.stringify({ query }));
      return JSON.parse(text) as GraphqlBody<Data>;
    },
    get: (path, headers = {}) => send(path, headers),
  };
}
