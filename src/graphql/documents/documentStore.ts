/**
 * Stores documents: trusted and persisted ones by the SHA-256 hash of their text, and parsed ones for Apollo Server. Reads
 * trusted documents from a directory.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type DocumentNode, GraphQLError, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import { GatewayError } from '../../errors.js';
import { estimateDocumentBytes, textBytes } from '../../execution/documentBytes.js';
import { messageOf } from '../../lib/errorMessage.js';
import { isRecord } from '../../lib/records.js';
import { SettingFileError } from '../../lib/startupErrors.js';

/** Texts of documents by SHA-256 hash in lower-case hexadecimal digits. */
type TrustedDocuments = ReadonlyMap<string, string>;

export type DocumentStore = ReturnType<typeof createDocumentStore>;

/** The limit for documents that callers register: about a thousand of ordinary size. */
export const MAX_SENT_BYTES = 2 * 1024 * 1024;
/** The objects of a cache entry besides the document. */
const ENTRY_BYTES = 300;

export const MAX_PARSED_BYTES = 32 * 1024 * 1024;
/** The objects of a cache entry besides the document, and its key. */
const PARSED_ENTRY_BYTES = 512;

/** `trustedOnly`: refuses all documents that are not trusted. */
export function createDocumentStore(trusted: TrustedDocuments, trustedOnly: boolean) {
  const sent = new LRUCache<string, string>({
    maxSize: MAX_SENT_BYTES,
    sizeCalculation: (text, hash) => textBytes(text) + textBytes(hash) + ENTRY_BYTES,
  });
  const get = (hash: string) => trusted.get(hash) ?? sent.get(hash);
  return {
    /** The text of a document; undefined if the hash is unknown. */
    get,
    /** Stores a document of a caller (automatic persisted queries). */
    set(hash: string, text: string): void {
      if (!trustedOnly && !trusted.has(hash)) sent.set(hash, text);
    },
    /** Throws DOCUMENT_NOT_TRUSTED if only trusted documents are allowed and this is not one. */
    checkTrusted({ text, hash }: { text: string | undefined; hash: string | undefined }): void {
      if (!trustedOnly) return;
      const isTrusted = text === undefined ? trusted.has(hash ?? '') : trusted.has(hashDocument(text));
      if (isTrusted) return;
      throw new GatewayError(
        'DOCUMENT_NOT_TRUSTED',
        'This gateway executes only documents that its operator has registered.',
      );
    },
  };
}

const MANIFEST = 'manifest.json';

function hashDocument(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Reads every `*.graphql` file, under the hashes of its text with and without surrounding white space, and the documents in
 * `manifest.json`, an object of hash → text. Without a directory there are none. Throws a `SettingFileError` that names the
 * file if a document has a syntax error, a hash does not match its text, or the directory cannot be read.
 */
export function readTrustedDocuments(directory: string | undefined): TrustedDocuments {
  if (directory === undefined) return new Map();
  try {
    return readDocuments(directory);
  } catch (error) {
    throw new SettingFileError('TRUSTED_DOCUMENTS', messageOf(error));
  }
}

function readDocuments(directory: string): TrustedDocuments {
  const names = readdirSync(directory).sort();
  const texts = names
    .filter((name) => name.endsWith('.graphql'))
    .flatMap((name) => {
      const text = readFileSync(path.join(directory, name), 'utf8');
      checkDocument(name, text);
      return [text, text.trim()];
    });
  const listed = names.includes(MANIFEST) ? readManifest(path.join(directory, MANIFEST)) : [];
  return new Map([...texts, ...listed].map((text) => [hashDocument(text), text]));
}

function readManifest(file: string): string[] {
  const content: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isRecord(content)) throw new Error(`${file} does not contain a JSON object.`);
  return Object.entries(content).map(([hash, text]) => {
    if (typeof text !== 'string' || hashDocument(text) !== hash.replace(/^sha256:/, '').toLowerCase()) {
      throw new Error(`${file}: ${hash} is not the SHA-256 of its document.`);
    }
    checkDocument(`${file}, ${hash}`, text);
    return text;
  });
}

function checkDocument(name: string, text: string): void {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof GraphQLError) throw new Error(`${name} is not valid GraphQL: ${error.message}`);
    throw error;
  }
}

/** Adapts the store to Apollo Server's cache for automatic persisted queries, whose keys are `apq:` and the hash. */
export function toKeyValueCache(store: DocumentStore) {
  const toHash = (key: string) => key.replace(/^apq:/, '');
  return {
    get: async (key: string) => store.get(toHash(key)),
    set: async (key: string, text: string) => store.set(toHash(key), text),
    delete: async () => true,
  };
}

/** Parsed and validated documents, bounded by their heap size. Fits Apollo Server's option `documentStore`. */
export type ParsedDocuments = ReturnType<typeof createParsedDocuments>;

export function createParsedDocuments(maxBytes = MAX_PARSED_BYTES) {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: maxBytes,
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
