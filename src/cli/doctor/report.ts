/** The findings of `fieldgraph doctor` in two forms: lines for people and JSON for programs. */

/** `warning`: it works, but not as well as it could. `skipped`: it could not be checked. */
type FindingStatus = 'ok' | 'warning' | 'problem' | 'skipped';

export interface Finding {
  /** Stable name, for programs: `platform.address`. The part before the dot is the section. */
  check: string;
  status: FindingStatus;
  /** One sentence. Contains no secret. */
  message: string;
  /** The step that solves the problem. */
  remedy?: string;
}

export interface Report {
  findings: readonly Finding[];
  /** Requests that the checks sent to the platform. */
  requests: { token: number; rest: number };
}

const withRemedy =
  (status: FindingStatus) =>
  (check: string, message: string, remedy: string): Finding => ({ check, status, message, remedy });

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message });
export const skipped = (check: string, message: string): Finding => ({ check, status: 'skipped', message });
export const warning = withRemedy('warning');
export const problem = withRemedy('problem');

export function hasProblem({ findings }: Report): boolean {
  return findings.some(({ status }) => status === 'problem');
}

const titles: Readonly<Record<string, string>> = {
  settings: 'Settings',
  process: 'Process',
  callers: 'Callers',
  redis: 'Redis',
  platform: 'Platform',
  data: 'Data',
  tracing: 'Tracing',
};

const marks: Readonly<Record<FindingStatus, string>> = {
  ok: 'ok      ',
  warning: 'warning ',
  problem: 'PROBLEM ',
  skipped: 'skipped ',
};

export function toText(report: Report): string {
  const { findings, requests } = report;
  const sections = [...new Set(findings.map(sectionOf))];
  const lines = sections.flatMap((section) => [
    titles[section] ?? section,
    ...findings.filter((finding) => sectionOf(finding) === section).flatMap(toLines),
    '',
  ]);
  const count = (status: FindingStatus) => findings.filter((finding) => finding.status === status).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  const summary = `${problems} ${problems === 1 ? 'problem' : 'problems'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`;
  return [...lines, `${summary}. Token requests: ${requests.token}. REST calls: ${requests.rest}.`].join(
    '\n',
  );
}

function toLines({ status, message, remedy }: Finding): string[] {
  const first = `  ${marks[status]}${message.replaceAll('\n', `\n${' '.repeat(10)}`)}`;
  return remedy === undefined ? [first] : [first, `          → ${remedy}`];
}

function sectionOf({ check }: Finding): string {
  return check.split('.')[0] ?? check;
}

/** Fields are only ever added to this form. */
export function toJson(report: Report): string {
  const { findings, requests } = report;
  return JSON.stringify({ version: 1, ok: !hasProblem(report), requests, findings }, null, 2);
}
