/** The tokens of callers who bring their own access: a refusal is theirs to hear, and says that they are out. */
import { GatewayError } from '../../errors.js';
import type { Clock } from '../../lib/clock.js';
import { createRefusedEndpoints } from './refusedEndpoints.js';
import type { TokenManager } from './tokenManager.js';

/** Told when the platform no longer lets the caller in. */
export type OnRefused = () => void;

/** A caller's own token, used as it is: it can't be renewed, so a refusal that is about the token is the end of it. */
export function createFixedTokenManager(token: string, onRefused: OnRefused, clock: Clock): TokenManager {
  const places = createRefusedEndpoints();
  return {
    getCurrent: () => token,
    async get(refused) {
      if (refused === undefined) return token;
      onRefused();
      throw createRefusedCredentialError();
    },
    isRefusalFinal: (place) => places.isHeld(place, clock.now()),
    confirmRefusal: (refused, place) => places.confirm(refused, place, clock.now()),
    // Whoever repeats a call asks for another token first, and hears that there is none.
    refuse: () => 'renew',
    status: () => ({ remainingMs: null, remainingAttempts: 0 }),
  };
}

/** Tokens for a caller's own Key and Secret. */
export function createCallerTokenManager(tokens: TokenManager, onRefused: OnRefused): TokenManager {
  return {
    ...tokens,
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
