/** The stub as the benchmark sees it: an address, a latency to set, a count of calls. */
import { startHelper } from './childProcess.js';
import type { StubOrder, StubReport } from './stub.js';

export interface Stub {
  url: string;
  pid: number;
  setLatency(latencyMs: number): void;
  /** Calls since the last question. */
  takeCalls(): Promise<number>;
  stop(): void;
}

export async function startStub(newestUnixSeconds: number): Promise<Stub> {
  const file = new URL('./stub.js', import.meta.url);
  const { helper, greeting } = await startHelper<StubOrder, StubReport>(file, [String(newestUnixSeconds)]);
  if (!('port' in greeting)) throw new Error('The stub did not say where it listens.');
  let taken = 0;
  return {
    url: `http://127.0.0.1:${greeting.port}`,
    pid: helper.pid,
    setLatency: (latencyMs) => helper.tell({ latencyMs }),
    async takeCalls() {
      const report = await helper.ask('count');
      const calls = 'calls' in report ? report.calls : 0;
      const more = calls - taken;
      taken = calls;
      return more;
    },
    stop: helper.stop,
  };
}
