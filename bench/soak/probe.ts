/**
 * Preloaded into the gateway of the soak test. Reports heap after garbage collection, and open resources, to its
 * parent.
 */

export interface ProcessFigures {
  /** JavaScript heap in use after garbage collection, in bytes. */
  heapBytes: number;
  /** Timers, servers, sockets and other resources that keep the event loop busy. */
  handles: number;
  /** TCP connections and servers among them. */
  sockets: number;
}

process.on('message', () => {
  for (let round = 0; round < 3; round += 1) globalThis.gc?.();
  const resources = process.getActiveResourcesInfo();
  const figures: ProcessFigures = {
    heapBytes: process.memoryUsage().heapUsed,
    handles: resources.length,
    sockets: resources.filter((name) => name.startsWith('TCP')).length,
  };
  process.send?.(figures);
});
// The channel must not keep the process alive.
process.channel?.unref();
