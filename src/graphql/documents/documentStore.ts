/** Finds documents by their hash: those the operator trusts, and, unless only these are allowed, those callers have sent. */
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../errors.js';
import { textBytes } from '../../execution/documentBytes.js';
import { hashDocument, type TrustedDocuments } from './trustedDocuments.js';

export interface DocumentStore {
  /** The text of a document; undefined where the hash is not known. */
  get(hash: string): string | undefined;
  /** Remembers what a caller has sent. */
  set(hash: string, text: string): void;
  /** Throws DOCUMENT_NOT_TRUSTED where the operator allows trusted documents alone and this is none. */
  checkTrusted(request: { text: string | undefined; hash: string | undefined }): void;
}

export interface DocumentStoreOptions {
  trusted: TrustedDocuments;
  trustedOnly: boolean;
}

/** Texts that callers have sent: about a thousand ordinary documents, and fewer large ones. */
export const MAX_SENT_BYTES = 2 * 1024 * 1024;
/** The entry's own objects, and the hash that it is stored under. */
const ENTRY_BYTES = 300;

export function createDocumentStore({ trusted, trustedOnly }: DocumentStoreOptions): DocumentStore {
  const sent = new LRUCache<string, string>({
    maxSize: MAX_SENT_BYTES,
    sizeCalculation: (text, hash) => textBytes(text) + textBytes(hash) + ENTRY_BYTES,
  });
  const get = (hash: string) => trusted.get(hash) ?? sent.get(hash);
  return {
    get,
    set(hash, text) {
      if (!trustedOnly && !trusted.has(hash)) sent.set(hash, text);
    },
    checkTrusted({ text, hash }) {
      if (!trustedOnly) return;
      const isTrusted = text === undefined ? trusted.has(hash ?? '') : trusted.has(hashDocument(text));
      if (isTrusted) return;
      throw new GatewayError(
        'DOCUMENT_NOT_TRUSTED',
        'This gateway answers only documents it has been given.',
      );
    },
  };
}

/** The store as Apollo Server wants to have it, for automatic persisted queries; `apq:` stands before each hash. */
export function toKeyValueCache(store: DocumentStore) {
  const toHash = (key: string) => key.replace(/^apq:/, '');
  return {
    get: async (key: string) => store.get(toHash(key)),
    set: async (key: string, text: string) => store.set(toHash(key), text),
    delete: async () => true,
  };
}
