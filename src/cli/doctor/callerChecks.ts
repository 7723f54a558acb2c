/** Checks of `fieldgraph doctor` on the callers' settings: keys, JWKS, trusted documents. */
import { stat } from 'node:fs/promises';
import type { Config } from '../../config/config.js';
import { findRefusal } from '../../graphql/scopes.js';
import { type ApiKeyEntry, describeKeyCommand, hasExpired, parseApiKeys } from '../../http/auth/apiKeys.js';
import { type CallerAuth, toCaller } from '../../http/auth/authenticator.js';
import { findKeySetProblem, isVerificationKey, MAX_KEYS_BYTES } from '../../http/auth/issuerKeys.js';
import type { Clock } from '../../lib/clock.js';
import { codeOf, fileMessageOf, messageOf } from '../../lib/errorMessage.js';
import { parseIfJson, parseJsonFile, toRecord } from '../../lib/records.js';
import { readTextFile } from '../../lib/settingFiles.js';
import { checkDocuments } from './documentChecks.js';
import { explainConnection } from './explainConnection.js';
import { type Finding, ok, problem, skipped, warning } from './report.js';

const CREDENTIALS = 'callers.credentials';
const JWKS_TIMEOUT_MS = 5000;

/** `organizationIds`: the organizations of the account; undefined if they could not be read. */
export async function checkCallers(
  { callerAuth, callerLimits, host, isSubgraph, metrics }: Config,
  organizationIds: ReadonlySet<number> | undefined,
  clock: Clock,
): Promise<Finding[]> {
  return [
    ...(await checkCredentials(callerAuth, { host, metrics }, organizationIds, clock)),
    ...(await checkDocuments(callerLimits, isSubgraph)),
  ];
}

async function checkCredentials(
  callerAuth: CallerAuth,
  { host, metrics }: Pick<Config, 'host' | 'metrics'>,
  organizationIds: ReadonlySet<number> | undefined,
  clock: Clock,
): Promise<Finding[]> {
  if (callerAuth.kind === 'api-key')
    return checkKeysFile({ file: callerAuth.file, metrics }, organizationIds, clock);
  if (callerAuth.kind === 'jwt') {
    const roles = Object.entries(callerAuth.roleOrganizations ?? {}).map(([name, ids]) => ({
      name,
      organizations: ids.includes('*') ? ('*' as const) : ids.map(Number),
    }));
    return [
      ...(await checkKeys(callerAuth.keys)),
      ...(metrics === 'callers' ? checkRolesMetrics(roles) : []),
      ...checkOrganizations('roles of JWT_ROLE_ORGANIZATIONS', roles, organizationIds),
    ];
  }
  if (callerAuth.kind === 'platform')
    return [
      ok(CREDENTIALS, 'Callers send their own platform credentials.'),
      ...(metrics === 'callers' ? [warnAboutMetrics('no caller', 'Set METRICS to off or open.')] : []),
    ];
  return [ok(CREDENTIALS, `Every caller that reaches ${host} is accepted (CALLER_AUTH=open).`)];
}

async function checkKeysFile(
  { file, metrics }: Pick<Config, 'metrics'> & { file: string },
  organizationIds: ReadonlySet<number> | undefined,
  clock: Clock,
): Promise<Finding[]> {
  const make = describeKeyCommand(file);
  let keys: readonly ApiKeyEntry[];
  let mode: number;
  try {
    keys = [...parseApiKeys(await readTextFile(file)).values()];
    ({ mode } = await stat(file));
  } catch (error) {
    const correct = codeOf(error) === 'ENOENT' ? make : 'Correct the file, or make a new one.';
    const remedy = isUnreadable(error) ? NAME_READABLE : correct;
    return [problem(CREDENTIALS, `API_KEYS_FILE can't be used: ${messageOf(error)}`, remedy)];
  }
  return [
    ...checkValidity(keys, make, clock.now()),
    ...(metrics === 'callers' ? checkMetricsAccess(keys, clock.now()) : []),
    ...checkMode(file, mode),
    ...checkOrganizations('API keys', keys, organizationIds),
  ];
}

const NAME_READABLE = 'Name a file that the user of the gateway can read.';

/** False for a file that is missing, and for an error in its content, which has no code. */
function isUnreadable(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && code !== 'ENOENT';
}

/** `make`: how to make a key. */
function checkValidity(keys: readonly ApiKeyEntry[], make: string, nowMs: number): Finding[] {
  const isExpired = (key: ApiKeyEntry) => hasExpired(key, nowMs);
  const isEmpty = ({ scopes, organizations }: ApiKeyEntry) =>
    scopes.length === 0 || organizations.length === 0;
  const expired = keys.filter(isExpired);
  const namesOf = (entries: readonly ApiKeyEntry[]) => entries.map(({ name }) => name).join(', ');
  if (expired.length === keys.length) {
    const reason = keys.length === 0 ? '' : ` These are expired: ${namesOf(keys)}.`;
    return [problem(CREDENTIALS, `No API key is valid, so every caller is refused.${reason}`, make)];
  }
  const empty = keys.filter((key) => !isExpired(key) && isEmpty(key));
  const count = keys.length - expired.length - empty.length;
  return [
    ...(count > 0 ? [ok(CREDENTIALS, `${count} API ${count === 1 ? 'key is' : 'keys are'} valid.`)] : []),
    ...(expired.length > 0
      ? [warning('callers.expired', `API keys are expired: ${namesOf(expired)}.`, 'Remove or replace them.')]
      : []),
    ...(empty.length > 0 ? [warnAboutRights(namesOf(empty))] : []),
  ];
}

function warnAboutRights(names: string): Finding {
  const message = `API keys without scopes or without organizations can do nothing: ${names}.`;
  const remedy = 'Remove them, or add scopes such as "read" and organizations such as "*".';
  return warning('callers.rights', message, remedy);
}

function checkMetricsAccess(keys: readonly ApiKeyEntry[], nowMs: number): Finding[] {
  const valid = keys.filter((key) => !hasExpired(key, nowMs));
  const mayRead = (key: ApiKeyEntry) => findRefusal('metrics', toCaller(key)) === undefined;
  if (valid.length === 0 || valid.some(mayRead)) return [];
  const remedy =
    'Make a key for it: npx fieldgraph api-key --name metrics --scopes read. Or set METRICS to off or open.';
  return [warnAboutMetrics('no API key', remedy)];
}

/** Without roles, the claim of a token may name all organizations. */
function checkRolesMetrics(roles: readonly Pick<ApiKeyEntry, 'organizations'>[]): Finding[] {
  if (roles.length === 0 || roles.some(({ organizations }) => organizations === '*')) return [];
  const remedy = 'Add a role such as metrics=* to JWT_ROLE_ORGANIZATIONS. Or set METRICS to off or open.';
  return [warnAboutMetrics('no role of JWT_ROLE_ORGANIZATIONS', remedy)];
}

/** `who`: the callers, none of whom has the right. */
function warnAboutMetrics(who: string, remedy: string): Finding {
  const message = `METRICS=callers, but ${who} may read /metrics: that needs the scope "read" over all organizations.`;
  return warning('callers.metrics', message, remedy);
}

const WRITABLE_BY_OTHERS = 0o022;

function checkMode(file: string, mode: number): Finding[] {
  if ((mode & WRITABLE_BY_OTHERS) === 0) return [];
  const message = `Other users can write to ${file}, and so add keys.`;
  return [warning('callers.file', message, `chmod go-w ${file}`)];
}

/** `owners`: API keys or roles; `kind` names them. */
function checkOrganizations(
  kind: string,
  owners: readonly Pick<ApiKeyEntry, 'name' | 'organizations'>[],
  known: ReadonlySet<number> | undefined,
): Finding[] {
  const check = 'callers.organizations';
  const restricted = owners.filter(({ organizations }) => organizations !== '*');
  if (restricted.length === 0) return [];
  if (!known)
    return [skipped(check, `The organizations of ${kind} were not checked: the account is unknown.`)];
  const wrong = restricted.filter(({ organizations }) =>
    (organizations as number[]).some((id) => !known.has(id)),
  );
  if (wrong.length === 0) return [ok(check, `All organizations of ${kind} exist.`)];
  const names = wrong.map(({ name }) => name).join(', ');
  const message = `Some ${kind} name organizations that the account does not have: ${names}.`;
  const remedy = 'Correct their ids; `{ organizations { nodes { id name } } }` lists those of the account.';
  return [problem(check, message, remedy)];
}

async function checkKeys(keys: { url: string } | { file: string }): Promise<Finding[]> {
  if ('url' in keys) return checkKeysUrl(keys.url);
  const remedy = "Save the issuer's JSON Web Key Set in this file.";
  try {
    const text = await readTextFile(keys.file);
    const { mode } = await stat(keys.file);
    return [...toKeysFindings('JWKS_FILE', parseJsonFile(text), remedy), ...checkMode(keys.file, mode)];
  } catch (error) {
    const message = `JWKS_FILE can't be used: ${fileMessageOf(error)}`;
    return [problem(CREDENTIALS, message, isUnreadable(error) ? NAME_READABLE : remedy)];
  }
}

async function checkKeysUrl(url: string): Promise<Finding[]> {
  const remedy = 'Set JWKS_URL to the address of the JSON Web Key Set, as the issuer documents it.';
  try {
    const signal = AbortSignal.timeout(JWKS_TIMEOUT_MS);
    // Does not follow redirects, as in the gateway: a redirect could point to another server.
    const response = await fetch(url, { signal, redirect: 'manual' });
    const { status } = response;
    if (status >= 300 && status < 400)
      return [problem(CREDENTIALS, 'JWKS_URL redirects; the gateway follows no redirects.', remedy)];
    if (status !== 200) {
      const advice = status >= 500 ? "The issuer's server is down. Try again later." : remedy;
      return [problem(CREDENTIALS, `JWKS_URL responds with status ${status}.`, advice)];
    }
    const text = await response.text();
    if (Buffer.byteLength(text) > MAX_KEYS_BYTES) {
      const message = 'The response of JWKS_URL has more than 1 MB, so the gateway refuses it.';
      return [problem(CREDENTIALS, message, remedy)];
    }
    return toKeysFindings('JWKS_URL', parseIfJson(text), remedy);
  } catch (error) {
    return [explainConnection(error, { setting: 'JWKS_URL', url, check: CREDENTIALS })];
  }
}

/** `set`: undefined if it is not JSON. */
function toKeysFindings(setting: string, set: unknown, remedy: string): Finding[] {
  if (set === undefined) return [problem(CREDENTIALS, `${setting} does not contain JSON.`, remedy)];
  const fields = toRecord(set);
  if (typeof fields['jwks_uri'] === 'string') {
    const message = `${setting} is the discovery document of the issuer, not its keys.`;
    return [problem(CREDENTIALS, message, "Use the address in the document's field `jwks_uri`.")];
  }
  const keys = Array.isArray(fields['keys']) ? fields['keys'] : [];
  const usable = keys.filter(isVerificationKey).map(toRecord);
  const wrong = findKeySetProblem(set);
  const found = [
    wrong === undefined
      ? ok(CREDENTIALS, `Usable public keys in ${setting}: ${usable.length}.`)
      : problem(CREDENTIALS, `${setting} has ${wrong}.`, remedy),
    ...checkKeyIds(setting, usable),
  ];
  if (keys.every((key) => toRecord(key)['d'] === undefined)) return found;
  const leak = `${setting} contains a private key: anyone who reads it can make tokens.`;
  return [
    ...found,
    problem('callers.privateKey', leak, 'Replace the key at the issuer, and publish its public part only.'),
  ];
}

const MAX_SHOWN_KEY_IDS = 5;

/** A token is refused if two keys match it, or if no key has its id. */
function checkKeyIds(setting: string, keys: readonly Record<string, unknown>[]): Finding[] {
  const check = 'callers.keyIds';
  const found: Finding[] = [];
  if (keys.some(({ kid = '' }) => typeof kid !== 'string')) {
    const message = `${setting} has a key whose id (kid) is not a string, so tokens that name the id as a string are refused.`;
    found.push(warning(check, message, 'Write each `kid` as a string, in quotation marks.'));
  }
  const twice = keys.filter((key, index) => keys.slice(0, index).some((other) => matchSameToken(key, other)));
  if (twice.length === 0) return found;
  const ids = [...new Set(twice.map(({ kid }) => (kid === undefined ? 'none' : JSON.stringify(kid))))];
  const message = `${setting} has keys of one type with the same id (kid: ${ids.slice(0, MAX_SHOWN_KEY_IDS).join(', ')}), so their tokens are refused.`;
  return [...found, problem(check, message, 'Give each key of the issuer a `kid` of its own.')];
}

/** A key without an algorithm matches tokens of all algorithms of its type. */
function matchSameToken(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  const isOneAlgorithm =
    one['alg'] === undefined || other['alg'] === undefined || one['alg'] === other['alg'];
  return isOneAlgorithm && ['kid', 'kty', 'crv'].every((name) => one[name] === other[name]);
}
