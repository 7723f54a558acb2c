/** Checks after the start that the platform accepts the configuration, and logs the problems that it finds. */
import { GatewayError } from '../errors.js';
import type { Authenticator, OnKeys } from '../http/auth/caller.js';
import type { Logger } from '../lib/logger.js';
import type { PlatformAccess } from './platformAccess.js';

export interface PlatformCheckOptions {
  access: Pick<PlatformAccess, 'checkReady' | 'organizationIds'>;
  authenticator: Pick<Authenticator, 'watchKeys'>;
  logger: Logger;
}

type Keys = Parameters<OnKeys>[0];

/** Bounds of one log line: keys, and organization ids of each key. */
const MAX_KEYS = 20;
const MAX_IDS = 20;

/**
 * Checks the credential by requesting the token that the first operation needs anyway. Then checks the organizations of
 * API keys, now and whenever their file changes. Never throws; the gateway serves requests meanwhile.
 */
export function checkPlatform({ access, authenticator, logger }: PlatformCheckOptions): void {
  const checkKeys = async (keys: Keys): Promise<void> => {
    try {
      await access.checkReady();
    } catch (error) {
      return logRefusal(error, logger);
    }
    if (!access.organizationIds || keys.every(({ organizations }) => organizations === '*')) return;
    warnAboutUnknownIds(keys, await access.organizationIds(), logger);
  };
  const check = (keys: Keys): void => {
    checkKeys(keys).catch((cause: unknown) => {
      logger.debug({ cause }, 'The organizations of API keys could not be checked');
    });
  };
  if (authenticator.watchKeys) authenticator.watchKeys(check);
  else check([]);
}

/** Other reasons than a refused credential are temporary; the token manager logs them. */
function logRefusal(error: unknown, logger: Logger): void {
  if (!(error instanceof GatewayError) || error.code !== 'PLATFORM_UNAUTHORIZED') return;
  logger.error(
    { code: error.code },
    'The platform refuses the credential: check PLATFORM_KEY and PLATFORM_SECRET',
  );
}

function warnAboutUnknownIds(keys: Keys, known: ReadonlySet<number>, logger: Logger): void {
  const wrong = keys.flatMap(({ name, organizations }) => {
    const unknown = organizations === '*' ? [] : organizations.filter((id) => !known.has(id));
    return unknown.length === 0 ? [] : [{ name, organizations: unknown.slice(0, MAX_IDS) }];
  });
  if (wrong.length === 0) return;
  logger.warn(
    { keys: wrong.slice(0, MAX_KEYS), total: wrong.length },
    'API keys are restricted to organizations that the platform does not have',
  );
}
