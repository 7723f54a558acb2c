/** The check of `fieldgraph doctor` on Node.js. It imports little, because old versions can't load most modules. */
import { readMinNodeVersion } from '../../gateway/version.js';
import { type Finding, ok, problem, toJson, toText } from './report.js';

export function checkNode(version: string): Finding {
  const needed = readMinNodeVersion();
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [minMajor = 0, minMinor = 0] = needed.split('.').map(Number);
  const isSupported = major > minMajor || (major === minMajor && minor >= minMinor);
  return isSupported
    ? ok('process.node', `Node.js ${version} is supported.`)
    : problem('process.node', `Node.js ${version} is too old.`, `Install ${needed} or later.`);
}

/** The output of a command that can't run with this version of Node.js: a report of `doctor`, or one line. */
export function describeOldNode(node: Finding, [command, ...options]: readonly string[]): string {
  if (command !== 'doctor') return [node.message, node.remedy].join(' ');
  const report = { findings: [node], requests: { token: 0, rest: 0 } };
  return options.includes('--json') ? toJson(report) : toText(report);
}
