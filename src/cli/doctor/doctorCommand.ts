/** `fieldgraph doctor`: checks a setup before it serves, and says how to fix each problem. */
import { X509Certificate } from 'node:crypto';
import { type Config, readConfig, readProxyVariables } from '../../config/config.js';
import { findSettingHints, skipsCertificateChecks } from '../../config/settingHints.js';
import type { Environment } from '../../config/settings.js';
import type { Clock } from '../../lib/clock.js';
import { readFileOnce } from '../../lib/settingFiles.js';
import { ConfigError, describeStartupError } from '../../lib/startupErrors.js';
import { parseOptions } from '../parseOptions.js';
import { checkCallers } from './callerChecks.js';
import { checkCertificate } from './certificateChecks.js';
import { checkCollector } from './collectorChecks.js';
import { runPlatformChecks } from './platformChecks.js';
import { checkProcess } from './processChecks.js';
import { checkRedis } from './redisChecks.js';
import {
  type Finding,
  hasProblem,
  ok,
  problem,
  type Report,
  skipped,
  toJson,
  toText,
  warning,
} from './report.js';

export const doctorUsage = `Usage: fieldgraph doctor [--json] [--listeners NUMBER]

Checks the settings, this process, callers, Redis, the platform and its data, and the collector of traces.
Names each problem with its remedy. Needs at most one token request and twelve REST calls, changes nothing,
and prints no secret.

Options:
  --json       Prints JSON: { version, ok, requests, findings: [{ check, status, message, remedy }] }.
  --listeners  Expected number of open subscriptions, for the limit on file descriptors. Default: 1000.
  -h, --help   Prints this text.

Exit codes: 0 without a problem, 1 with problems, 2 for wrong options.`;

const PROBLEM_EXIT_CODE = 1;
const USAGE_EXIT_CODE = 2;

const DEFAULT_LISTENERS = 1000;

export async function doctorCommand(
  args: readonly string[],
  { environment, clock }: { environment: Environment; clock: Clock },
): Promise<{ kind: 'done' | 'failed'; text: string; exitCode: number }> {
  const options = readOptions(args);
  if (typeof options === 'string')
    return { kind: 'failed', text: `${options}\n\n${doctorUsage}`, exitCode: USAGE_EXIT_CODE };
  const report = await examine(options.listeners, environment, clock);
  const text = options.isJson ? toJson(report) : toText(report);
  return { kind: 'done', text, exitCode: hasProblem(report) ? PROBLEM_EXIT_CODE : 0 };
}

/** Returns a message if the arguments are invalid. */
function readOptions(args: readonly string[]): { isJson: boolean; listeners: number } | string {
  const options = parseOptions(args, { json: { type: 'boolean' }, listeners: { type: 'string' } });
  if (typeof options === 'string') return options;
  const { json = false, listeners = String(DEFAULT_LISTENERS) } = options;
  if (!/^\d{1,7}$/.test(listeners)) return '--listeners must be a whole number.';
  return { isJson: json, listeners: Number(listeners) };
}

/** The sections that need usable settings. */
const unchecked = [
  'callers.credentials',
  'redis.connection',
  'platform.address',
  'data.permissions',
  'tracing.collector',
];

async function examine(listeners: number, environment: Environment, clock: Clock): Promise<Report> {
  const config = tryReadConfig(environment);
  const hints = findSettingHints(environment).map((hint) =>
    warning('settings.names', hint, 'Correct the name or the value, or remove the variable.'),
  );
  if (!('host' in config)) {
    const reason = 'Not checked, because the settings are not usable.';
    const rest = unchecked.map((check) => skipped(check, reason));
    const processFindings = await checkProcess({ listeners });
    return {
      findings: [...config, ...hints, ...checkTrust(environment), ...processFindings, ...rest],
      requests: { token: 0, rest: 0 },
    };
  }
  // Runs alone, because it listens on the gateway's port for a moment. If the address of a service has this port by
  // mistake, the service would otherwise seem to respond.
  const processFindings = await checkProcess({ config, listeners });
  const [certificateFindings, redisFindings, collectorFindings, platformReport] = await Promise.all([
    checkCertificate(config, clock),
    checkRedis(config.redisUrl),
    checkCollector(config.tracing),
    runPlatformChecks(config, readProxyVariables(environment, config.platform), clock),
  ]);
  const callersFindings = await checkCallers(config, platformReport.organizationIds, clock);
  return {
    findings: [
      ok('settings.values', 'All settings are valid.'),
      ...hints,
      ...checkTrust(environment),
      ...processFindings,
      ...certificateFindings,
      ...callersFindings,
      ...redisFindings,
      ...platformReport.findings,
      ...collectorFindings,
    ],
    requests: platformReport.requests,
  };
}

/** Checks the variables by which Node.js trusts servers. */
function checkTrust(environment: Environment): Finding[] {
  return [...checkCertificateChecks(environment), ...checkAuthorities(environment)];
}

function checkCertificateChecks(environment: Environment): Finding[] {
  if (!skipsCertificateChecks(environment)) return [];
  const message =
    'NODE_TLS_REJECT_UNAUTHORIZED=0: anyone between the gateway and the platform can read the secret.';
  const remedy = 'Remove the variable, and name the authority of the certificate in NODE_EXTRA_CA_CERTS.';
  return [problem('settings.NODE_TLS_REJECT_UNAUTHORIZED', message, remedy)];
}

const PEM_CERTIFICATE = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----.*?(?=-----BEGIN |$)/gs;

/** Checks that NODE_EXTRA_CA_CERTS names a readable file, because Node.js starts without the file if it can't read it. */
function checkAuthorities(environment: Environment): Finding[] {
  const file = environment['NODE_EXTRA_CA_CERTS'];
  if (!file) return [];
  try {
    // For this variable Node.js reads PEM only. It ignores all certificates from the first unreadable one on.
    const pems = readFileOnce(file).match(PEM_CERTIFICATE);
    if (pems === null) throw new Error('no PEM');
    for (const pem of pems) new X509Certificate(pem);
    return [];
  } catch {
    const message = 'NODE_EXTRA_CA_CERTS does not name a file in which every certificate is readable (PEM).';
    const remedy = 'Correct the path or the file, or remove the variable.';
    return [problem('settings.NODE_EXTRA_CA_CERTS', message, remedy)];
  }
}

function tryReadConfig(environment: Environment): Config | Finding[] {
  try {
    return readConfig(environment);
  } catch (error) {
    const problems = error instanceof ConfigError ? error.problems : [describeStartupError(error)];
    return problems.map((text) => {
      const [, name] = /^([A-Z_]+):/.exec(text) ?? [];
      return problem(`settings.${name ?? 'values'}`, text, toSettingRemedy(name, text));
    });
  }
}

/** `name`: the setting, if the text names one. */
function toSettingRemedy(name: string | undefined, text: string): string {
  const help = '`fieldgraph start --help` describes all settings.';
  if (name === undefined) return help;
  if (text.includes("can't be read")) return `Name in ${name} a file that the user of the gateway can read.`;
  if (text.includes(': is empty')) return `Write the value into the file that ${name} names.`;
  return `${text.includes(': is missing') ? 'Set' : 'Change'} ${name}. ${help}`;
}
