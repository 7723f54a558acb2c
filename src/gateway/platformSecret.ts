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

/**
 * Returns the platform with the secret that its file contains now. A worker starts with the secret that the primary
 * has read, which may be older. If the file is not usable, `watchSecret` reports it.
 */
export async function withCurrentSecret<Platform extends Credential & { files?: CredentialFiles }>(
  platform: Platform,
): Promise<Platform> {
  const { files } = platform;
  if (files === undefined) return platform;
  try {
    return { ...platform, secret: toSecret(platform, await readCredential(files)) };
  } catch {
    return platform;
  }
}

export function watchSecret(
  credential: Readonly<Credential>,
  files: CredentialFiles,
  logger: Logger,
  onReplaced: (secret: string) => void,
): { close(): void } {
  return rereadFiles({
    read: () => readCredential(files),
    apply(texts) {
      const secret = toSecret(credential, texts);
      if (secret === credential.secret) return;
      onReplaced(secret);
      logger.info({}, 'Platform secret read');
    },
    onFailure: (cause) =>
      logger.error({ cause }, 'PLATFORM_SECRET_FILE is not usable; keeping the previous secret'),
  });
}

function readCredential({ keyFile, secretFile }: CredentialFiles): Promise<string[]> {
  return readTextFiles(keyFile === undefined ? [secretFile] : [secretFile, keyFile]);
}

/** Another key may have access to other data, so it needs a restart. */
function toSecret(credential: Readonly<Credential>, texts: readonly string[]): string {
  const [secret = '', key = credential.key] = texts.map((text) => text.trim());
  if (key !== credential.key)
    throw new Error('PLATFORM_KEY_FILE has another key. A new key needs a restart.');
  if (secret === '') throw new Error('The file is empty.');
  return secret;
}

/** A store that always encrypts with the current secret. Each process copies its state to the store of a new secret. */
export function followSecret(
  credential: Readonly<Credential>,
  openStore: (secret: string) => SharedTokenStore,
): SharedTokenStore {
  let { secret } = credential;
  let store = openStore(secret);
  const current = () => {
    if (secret === credential.secret) return store;
    ({ secret } = credential);
    store = openStore(secret);
    return store;
  };
  return {
    read: () => current().read(),
    replace: (...change) => current().replace(...change),
    get fallback() {
      return current().fallback;
    },
  };
}
