/** Token managers for callers with platform credentials: a refused credential ends the caller's access. */
import { GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import { createRefusedEndpoints } from './refusedEndpoints.js';
import type { TokenManager } from './tokenManager.js';

/** Called when the platform refuses the caller's credential. */
export type OnRefused = () => void;

/** For a caller's token, which can't be renewed: if the platform refuses the token, the caller's access ends. */
export function createFixedTokenManager(token: string, onRefused: OnRefused, clock: Clock): TokenManager {
  const refused = createRefusedEndpoints();
  return {
    getCurrent: () => token,
    async get(refusedToken) {
      if (refusedToken === undefined) return token;
      onRefused();
      throw createRefusedCredentialError();
    },
    isRefusalFinal: (endpoint) => refused.isFinal(endpoint, clock.now()),
    confirmRefusal: (refusedToken, endpoint) => refused.confirm(refusedToken, endpoint, clock.now()),
    // A repeated call gets another token first, which rejects.
    refuse: () => 'renew',
    status: () => ({ remainingMs: null, remainingAttempts: 0 }),
  };
}

/** For a caller's Key and Secret. */
export function createCallerTokenManager(tokens: TokenManager, onRefused: OnRefused): TokenManager {
  return {
    getCurrent: () => tokens.getCurrent(),
    refuse: (token, endpoint) => tokens.refuse(token, endpoint),
    isRefusalFinal: (endpoint) => tokens.isRefusalFinal(endpoint),
    confirmRefusal: (token, endpoint) => tokens.confirmRefusal(token, endpoint),
    status: () => tokens.status(),
    async get(refused) {
      try {
        return await tokens.get(refused);
      } catch (error) {
        if (!(error instanceof GatewayError) || error.code !== 'PLATFORM_UNAUTHORIZED') throw error;
        onRefused();
        throw createRefusedCredentialError(error);
      }
    },
  };
}

function createRefusedCredentialError(error?: GatewayError): GatewayError {
  const { platform } = error ?? {};
  return new GatewayError('UNAUTHENTICATED', 'The platform refuses your credential.', { platform });
}
