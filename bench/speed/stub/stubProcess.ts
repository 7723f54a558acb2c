/** Starts the stub of the platform. */
import { startHelper } from '../../shared/processes.js';
import type { StubOrder, StubReport } from './stub.js';

export interface Stub {
  url: string;
  pid: number;
  setLatency(latencyMs: number): void;
  /** The number of calls since the last `drainCalls`. */
  drainCalls(): Promise<number>;
  stop(): void;
}

export async function startStub(newestUnixSeconds: number): Promise<Stub> {
  const file = new URL('./stub.js', import.meta.url);
  const { helper, first } = await startHelper<StubOrder, StubReport>(file, [String(newestUnixSeconds)]);
  if (!('port' in first)) throw new Error('The stub did not report its port.');
  let drained = 0;
  return {
    url: `http://127.0.0.1:${first.port}`,
    pid: helper.pid,
    setLatency: (latencyMs) => helper.send({ latencyMs }),
    async drainCalls() {
      const report = await helper.request('count');
      const calls = 'calls' in report ? report.calls : 0;
      const added = calls - drained;
      drained = calls;
      return added;
    },
    stop: helper.stop,
  };
}
