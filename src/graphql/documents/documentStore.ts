/** Stores documents: trusted and persisted ones by the SHA-256 hash of their text, and parsed ones for Apollo Server. */
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../errors.js';
import { estimateDocumentBytes, textBytes } from '../../execution/documentBytes.js';
import { hashDocument } from './trustedDocuments.js';

/** Texts of documents by SHA-256 hash in lower-case hexadecimal digits, or by the id of an application. */
type TrustedDocuments = ReadonlyMap<string, string>;

/**
 * The origin of a document, for the log. `trusted`: from TRUSTED_DOCUMENTS, sent as text or by its hash.
 * `persisted`: any other document that is sent by its hash. `text`: any other document that is sent as text.
 */
export type DocumentOrigin = 'trusted' | 'persisted' | 'text';

export type DocumentStore = ReturnType<typeof createDocumentStore>;

/** The limit for documents that callers register: about a thousand of ordinary size. */
export const MAX_SENT_BYTES = 2 * 1024 * 1024;
/** The objects of a cache entry besides the document. */
const ENTRY_BYTES = 300;

export const MAX_PARSED_BYTES = 32 * 1024 * 1024;
/** The objects of a cache entry besides the document, and its key. */
const PARSED_ENTRY_BYTES = 512;

/** `trustedOnly`: refuses all documents that are not trusted. */
export function createDocumentStore(trustedOnly: boolean) {
  let trusted: TrustedDocuments = new Map();
  let version = 0;
  const sent = new LRUCache<string, string>({
    maxSize: MAX_SENT_BYTES,
    sizeCalculation: (text, hash) => textBytes(text) + textBytes(hash) + ENTRY_BYTES,
  });
  return {
    setTrusted(documents: TrustedDocuments): void {
      trusted = documents;
      version += 1;
    },
    /** Rises with each `setTrusted`. Responses to requests that were allowed before must not be reused. */
    version: () => version,
    /** Stores a document of a caller (automatic persisted queries). */
    set(hash: string, text: string): void {
      if (!trustedOnly && !trusted.has(hash)) sent.set(hash, text);
    },
    /** `isText`: whether the client has sent the text. */
    originOf(hash: string, isText: boolean): DocumentOrigin {
      if (trusted.has(hash)) return 'trusted';
      return isText ? 'text' : 'persisted';
    },
    /**
     * Returns the text of a document that is sent as text or named by its hash, or by the `documentId` of a trusted
     * document. Undefined for an unknown hash. Throws DOCUMENT_NOT_TRUSTED for an unknown id, or if only trusted
     * documents are allowed and this is not one.
     */
    find({ text, hash = '', id }: Record<'text' | 'hash' | 'id', string | undefined>): string | undefined {
      if (id !== undefined) {
        const source = trusted.get(id.replace(/^sha256:/, ''));
        if (source !== undefined) return source;
        throw new GatewayError('DOCUMENT_NOT_TRUSTED', 'No trusted document has this documentId.');
      }
      if (trustedOnly && !trusted.has(text === undefined ? hash : hashDocument(text))) {
        throw new GatewayError(
          'DOCUMENT_NOT_TRUSTED',
          'This gateway executes only documents that its operator has registered.',
        );
      }
      return text ?? trusted.get(hash) ?? sent.get(hash);
    },
  };
}

/**
 * Adapts the store to Apollo Server's cache for automatic persisted queries, whose keys are `apq:` and the hash. It
 * never returns a document: the text for a stored hash is added to a request when it is admitted. A document that is
 * stored later, while the operation waits, was not checked against the limits.
 */
export function toKeyValueCache(store: DocumentStore) {
  return {
    get: async () => undefined,
    set: async (key: string, text: string) => store.set(key.replace(/^apq:/, ''), text),
    delete: async () => true,
  };
}

/** Parsed and validated documents, bounded by their heap size. Fits Apollo Server's option `documentStore`. */
export type ParsedDocuments = ReturnType<typeof createParsedDocuments>;

export function createParsedDocuments() {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: MAX_PARSED_BYTES,
    sizeCalculation: (document) =>
      estimateDocumentBytes(document) + textBytes(document.loc?.source.body ?? '') + PARSED_ENTRY_BYTES,
  });
  return {
    lookup: (key: string) => documents.get(key),
    add: (key: string, document: DocumentNode) => void documents.set(key, document),
    get: async (key: string) => documents.get(key),
    set: async (key: string, document: DocumentNode) => void documents.set(key, document),
    delete: async (key: string) => documents.delete(key),
    usage: () => ({ documents: documents.size, bytes: documents.calculatedSize }),
  };
}
