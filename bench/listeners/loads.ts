/** The load generators' processes: opens listeners with several of them, and adds up their reports. */
import { forkHelper, type Helper } from '../shared/processes.js';
import type { LoadOrder, LoadReport, Transport } from './load.js';

export type Share = [transport: Transport, count: number];

type Loader = Helper<LoadOrder, LoadReport>;

const LOAD_PROCESSES = 2;

export class Loads {
  readonly #loaders: readonly Loader[];

  private constructor(loaders: readonly Loader[]) {
    this.#loaders = loaders;
  }

  static async start(): Promise<Loads> {
    return new Loads(await Promise.all(Array.from({ length: LOAD_PROCESSES }, startLoader)));
  }

  get pids(): readonly number[] {
    return this.#loaders.map(({ pid }) => pid);
  }

  /** Opens one listener. */
  async openFirst(port: number, transport: Transport): Promise<void> {
    await this.#loaders[0]?.request({ kind: 'open', port, transport, count: 1 });
  }

  async open(port: number, shares: readonly Share[], isUnread = false): Promise<void> {
    for (const [transport, total] of shares) {
      await Promise.all(
        this.#loaders.map((loader, index) => {
          const count = Math.floor((total + index) / this.#loaders.length);
          return loader.request({ kind: 'open', port, transport, count, isUnread });
        }),
      );
    }
  }

  /** The counts of the report begin again. */
  async begin(): Promise<void> {
    await this.#all({ kind: 'begin' });
  }

  async readUnread(): Promise<void> {
    await this.#all({ kind: 'readUnread' });
  }

  /** The sum since `begin`; delays rise. */
  async report(newestId: number): Promise<LoadReport> {
    const reports = await this.#all({ kind: 'report', newestId });
    const sum = (figure: (report: LoadReport) => number) =>
      reports.reduce((total, each) => total + figure(each), 0);
    return {
      listeners: sum(({ listeners }) => listeners),
      deliveries: sum(({ deliveries }) => deliveries),
      lost: sum(({ lost }) => lost),
      doubled: sum(({ doubled }) => doubled),
      delays: reports.flatMap(({ delays }) => delays).sort(([one], [other]) => one - other),
      unreadEnded: sum(({ unreadEnded }) => unreadEnded),
    };
  }

  stop(): void {
    for (const loader of this.#loaders) loader.stop();
  }

  #all(order: LoadOrder): Promise<LoadReport[]> {
    return Promise.all(this.#loaders.map((loader) => loader.request(order)));
  }
}

async function startLoader(): Promise<Loader> {
  const helper = forkHelper<LoadOrder, LoadReport>(new URL('./load.js', import.meta.url));
  await helper.nextReport();
  return helper;
}

/** The delay that this share of the deliveries does not exceed, in milliseconds. */
export function quantile({ delays, deliveries }: LoadReport, share: number): number {
  let counted = 0;
  for (const [delayMs, count] of delays) {
    counted += count;
    if (counted >= share * deliveries) return delayMs;
  }
  return Number.NaN;
}
