/** Replaces the secret of the platform while the gateway runs, when its file changes. */
import type { Logger } from '../lib/logger.js';
import { readTextFiles, rereadFiles } from '../lib/settingFiles.js';
import type { Credential } from '../rest/auth/tokenRenewal.js';
import type { SharedTokenStore } from '../rest/auth/tokenStateStore.js';

export interface CredentialFiles {
  /** Undefined if the key is a value. */
  keyFile: string | undefined;
  secretFile: string;
}

/** Another key may have access to other data, so it needs a restart. */
export function watchSecret(
  credential: Readonly<Credential>,
  { keyFile, secretFile }: CredentialFiles,
  logger: Logger,
  onReplaced: (secret: string) => void,
): { close(): void } {
  return rereadFiles({
    read: () => readTextFiles(keyFile === undefined ? [secretFile] : [secretFile, keyFile]),
    apply(texts) {
      const [secret = '', key = credential.key] = texts.map((text) => text.trim());
      if (key !== credential.key)
        throw new Error('PLATFORM_KEY_FILE has another key. A new key needs a restart.');
      if (secret === '') throw new Error('The file is empty.');
      if (secret === credential.secret) return;
      onReplaced(secret);
      logger.info({}, 'Platform secret read');
    },
    onFailure: (cause) =>
      logger.error({ cause }, 'PLATFORM_SECRET_FILE is not usable; keeping the previous secret'),
  });
}

/** The store of the current secret: a shared store encrypts with it. Each process copies its state to the new one. */
export function followSecret(
  credential: Readonly<Credential>,
  openStore: (secret: string) => SharedTokenStore | undefined,
): SharedTokenStore | undefined {
  let { secret } = credential;
  let store = openStore(secret);
  const current = () => {
    if (secret === credential.secret) return store;
    ({ secret } = credential);
    store = openStore(secret);
    return store;
  };
  return (
    store && {
      read: async () => current()?.read(),
      replace: async (...change) => current()?.replace(...change),
      get fallback() {
        return current()?.fallback;
      },
    }
  );
}
