/** Processes of the benchmark's own, which are told and tell over the channel that Node gives them. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

export interface Helper<Order, Report> {
  pid: number;
  /** Sends an order without waiting for anything. */
  tell(order: Order): void;
  /** Sends an order and waits for the report of it. Rejects when the process ends instead. */
  ask(order: Order): Promise<Report>;
  stop(): void;
}

/** Resolves with the first thing that the process tells. */
export async function startHelper<Order extends object | string, Report>(
  file: URL,
  args: readonly string[],
): Promise<{ helper: Helper<Order, Report>; greeting: Report }> {
  const child = fork(file, args, { serialization: 'json', execArgv: [] });
  const greeting = await nextReport<Report>(child);
  const helper = {
    pid: child.pid ?? 0,
    tell: (order: Order) => void child.send(order),
    ask(order: Order) {
      const report = nextReport<Report>(child);
      child.send(order);
      return report;
    },
    stop: () => void child.kill(),
  };
  return { helper, greeting };
}

async function nextReport<Report>(child: ChildProcess): Promise<Report> {
  const watch = new AbortController();
  const ended = once(child, 'exit', { signal: watch.signal }).then(([code]) => {
    throw new Error(`A process of the benchmark ended with ${code}.`);
  });
  ended.catch(() => undefined);
  try {
    const [report] = await Promise.race([once(child, 'message', { signal: watch.signal }), ended]);
    return report as Report;
  } finally {
    watch.abort();
  }
}
