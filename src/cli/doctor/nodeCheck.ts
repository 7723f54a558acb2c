/** The check of `fieldgraph doctor` on Node.js. It imports little, because old versions can't load most modules. */
import { findNeededNode } from '../../gateway/version.js';
import { type Finding, ok, problem, toJson, toText } from './report.js';

export function checkNode(version: string): Finding {
  const needed = findNeededNode(version);
  return needed === undefined
    ? ok('process.node', `Node.js ${version} is supported.`)
    : problem('process.node', `Node.js ${version} is too old.`, `Install ${needed} or later.`);
}

/** The output of a command that can't run with this version of Node.js: a report of `doctor`, or one line. */
export function describeOldNode(node: Finding, [command, ...options]: readonly string[]): string {
  if (command !== 'doctor') return [node.message, node.remedy].join(' ');
  const report = { findings: [node], requests: { token: 0, rest: 0 } };
  return options.includes('--json') ? toJson(report) : toText(report);
}
