/** A process that uses as much CPU as an attacker, and sends nothing to the gateway. */

const TICK_MS = 1;
/** A tick ends after this time, so that the process also gets messages if other processes use the CPU. */
const MAX_SPIN_MS = 5;
let timer: NodeJS.Timeout | undefined;

/** Receives the share of one core to use, 0 to stop. */
process.on('message', ({ share }: { share: number }) => {
  clearInterval(timer);
  const [startedAtMs, startCpuMs] = [performance.now(), cpuMs()];
  const isBehind = () => cpuMs() - startCpuMs < share * (performance.now() - startedAtMs);
  if (share > 0)
    timer = setInterval(() => {
      const tickedAtMs = performance.now();
      while (isBehind() && performance.now() - tickedAtMs < MAX_SPIN_MS);
    }, TICK_MS);
  else process.send?.('stopped');
});
process.once('disconnect', () => process.exit());

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
