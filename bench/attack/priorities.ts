/**
 * Real-time priorities for the measured processes, so that the response times contain the work of the gateway and not the
 * competition for the CPU: an attacker usually has a machine of its own, and so have the platform and the other callers.
 */
import { spawnSync } from 'node:child_process';

/** A waiting thread with a higher priority preempts each one with a lower priority, and all ordinary ones. */
const CLIENT = 3;
const GATEWAY = 2;
/** The platform and the other threads of the gateway. */
const PLATFORM = 1;

/** Returns whether the system permits it: on Linux as root, if `chrt` of util-linux is installed. */
export function prioritizeClientAndPlatform(platformPid: number): boolean {
  return setPriority(process.pid, CLIENT, true) && setPriority(platformPid, PLATFORM, true);
}

/** Does nothing if the system does not permit it. */
export function prioritizeGateway(pid: number): void {
  if (setPriority(pid, PLATFORM, true)) setPriority(pid, GATEWAY, false);
}

function setPriority(pid: number, priority: number, ofAllThreads: boolean): boolean {
  const args = [...(ofAllThreads ? ['--all-tasks'] : []), '--fifo', '--pid', `${priority}`, `${pid}`];
  return spawnSync('chrt', args).status === 0;
}
