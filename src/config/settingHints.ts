/** Finds variables that nearly have the name of a setting, and settings that have no effect. Neither stops the start. */
import { type Environment, settings } from './settings.js';

const names = Object.keys(settings);

/** Shorter names, such as PORT, are not compared, because changing one letter makes another word. */
const MIN_NAME_LENGTH = 6;
/**
 * In names of at least this length, two errors still count as a misspelling. PLATFORM_ORG and SANDBOX_HOST are
 * shorter, and are different names.
 */
const LONG_NAME_LENGTH = 13;

/** Returns one sentence for each variable that nearly has the name of a setting. */
export function findMisspelled(environment: Environment): string[] {
  const isSet = toIsSet(environment);
  return Object.keys(environment)
    .filter((name) => isSet(name) && !names.includes(name))
    .flatMap((name) => {
      const meant = findSimilar(name);
      // If both are set, another program may read the unknown one.
      return meant === undefined || isSet(meant) ? [] : [`${name} is not a setting. Did you mean ${meant}?`];
    });
}

function toIsSet(environment: Environment): (name: string) => boolean {
  return (name) => Boolean(environment[name]?.trim());
}

const UNUSED_FEDERATION =
  'FEDERATION=on has no effect with TRUSTED_DOCUMENTS_ONLY=true: the documents of routers are refused.';
const UNUSED_LIVE_POLL =
  'LIVE_POLL=always has no effect with CALLER_AUTH=platform: the gateway has no credential of its own.';
const UNUSED_CORS_HEADERS =
  'CORS_HEADERS has no effect without CORS_ORIGINS: pages of other origins may send no request.';

/** Returns one sentence for each. No sentence contains a secret. */
export function findSettingHints(environment: Environment): string[] {
  const isSet = toIsSet(environment);
  const callerAuth = environment['CALLER_AUTH']?.trim() || 'open';
  const hasValue = (name: string, value: string) => environment[name]?.trim() === value;
  return [
    ...findMisspelled(environment),
    ...findUnused(isSet, callerAuth),
    ...(hasValue('FEDERATION', 'on') && hasValue('TRUSTED_DOCUMENTS_ONLY', 'true')
      ? [UNUSED_FEDERATION]
      : []),
    ...(callerAuth === 'platform' && hasValue('LIVE_POLL', 'always') ? [UNUSED_LIVE_POLL] : []),
    ...(isSet('CORS_HEADERS') && !isSet('CORS_ORIGINS') ? [UNUSED_CORS_HEADERS] : []),
    ...findTraceVariables(isSet),
    ...findUnusedFraction(
      environment['OTEL_TRACES_SAMPLER']?.trim() || settings.OTEL_TRACES_SAMPLER.defaultValue,
      isSet,
    ),
  ];
}

/** Without the hint, only an unexpected number of traces would reveal the mistake. */
function findUnusedFraction(sampler: string, isSet: (name: string) => boolean): string[] {
  const isUsed = sampler.endsWith('traceidratio') || !isSet('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (isUsed || !isSet('OTEL_TRACES_SAMPLER_ARG')) return [];
  return [
    `OTEL_TRACES_SAMPLER_ARG has no effect with OTEL_TRACES_SAMPLER=${sampler}; set OTEL_TRACES_SAMPLER=parentbased_traceidratio.`,
  ];
}

/**
 * Whether Node.js accepts every certificate. Anyone between the gateway and the platform could then read the credential.
 */
export function skipsCertificateChecks(environment: Environment): boolean {
  return environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
}

/**
 * OpenTelemetry also has variants of these variables that apply only to traces. The gateway sends only traces, so
 * it does not read them.
 */
function findTraceVariables(isSet: (name: string) => boolean): string[] {
  return names
    .map((general) => [general, general.replace(/^OTEL_EXPORTER_OTLP_/, '$&TRACES_')] as const)
    .filter(([general, ofTraces]) => general !== ofTraces && isSet(ofTraces))
    .map(([general, ofTraces]) => `${ofTraces} has no effect: the gateway reads ${general}.`);
}

/** `_FILE` is easily forgotten: with TLS_CERT and TLS_KEY, the gateway would serve http without a warning. */
function findSimilar(name: string): string | undefined {
  const upper = name.toUpperCase();
  const misspelled = names.find(
    (setting) =>
      setting.length >= MIN_NAME_LENGTH && (setting === `${upper}_FILE` || isSimilar(upper, setting)),
  );
  if (misspelled !== undefined) return misspelled;
  const others = names.filter((setting) => differsInOneWord(upper, setting));
  return others.find((setting) => upper.startsWith(setting)) ?? others[0];
}

/**
 * Whether a name has one word more or less than the setting, or another one, such as PLATFORM_BASE_URL for PLATFORM_URL. At
 * least two words are equal, because the first word alone says little.
 */
function differsInOneWord(name: string, setting: string): boolean {
  if (setting.startsWith('OTEL_')) return false;
  const [words, others] = [name.split('_'), setting.split('_')];
  const [length, minLength] = [Math.max(words.length, others.length), Math.min(words.length, others.length)];
  let start = 0;
  while (start < minLength && words[start] === others[start]) start++;
  let end = 0;
  while (start + end < minLength && words.at(-1 - end) === others.at(-1 - end)) end++;
  return start >= 1 && start + end >= 2 && length - start - end <= 1;
}

function isSimilar(name: string, setting: string): boolean {
  // OpenTelemetry has more variables than the gateway, and some have similar names.
  const maxEdits = setting.length >= LONG_NAME_LENGTH && !setting.startsWith('OTEL_') ? 2 : 1;
  // The first letter is seldom mistyped. Comparing it also excludes SSL_CERT_FILE, a variable of OpenSSL.
  if (name[0] !== setting[0]) return false;
  // The plural counts as one letter: TRUSTED_PROXY is meant as TRUSTED_PROXIES.
  return isWithin(maxEdits, name, setting.replace(/IES$/, 'YS'));
}

/** Whether inserting, deleting, replacing or exchanging at most this many letters makes one name of the other. */
function isWithin(edits: number, one: string, other: string): boolean {
  if (one === other) return true;
  if (edits === 0) return false;
  if (one[0] === other[0]) return isWithin(edits, one.slice(1), other.slice(1));
  const isSwapped = one[0] === other[1] && one[1] === other[0];
  return (
    isWithin(edits - 1, one.slice(1), other) ||
    isWithin(edits - 1, one, other.slice(1)) ||
    isWithin(edits - 1, one.slice(1), other.slice(1)) ||
    (isSwapped && isWithin(edits - 1, one.slice(2), other.slice(2)))
  );
}

const callerAuthSettings = { 'api-key': /^API_KEYS_/, jwt: /^(JWT|JWKS)_/ } as const;

/**
 * Returns one sentence for each setting of API keys or JWTs that CALLER_AUTH does not use: an operator who sets one expects
 * the gateway to check credentials.
 */
function findUnused(isSet: (name: string) => boolean, callerAuth: string): string[] {
  return Object.entries(callerAuthSettings).flatMap(([needed, pattern]) =>
    names
      .filter((name) => pattern.test(name) && isSet(name) && callerAuth !== needed)
      .map((name) => `${name} has no effect with CALLER_AUTH=${callerAuth}; set CALLER_AUTH=${needed}.`),
  );
}
