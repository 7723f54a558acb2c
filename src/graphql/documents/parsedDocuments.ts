/** Keeps parsed and validated documents for Apollo Server, charged by the heap that they take. */
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { estimateDocumentBytes, textBytes } from '../../execution/documentBytes.js';

export const MAX_DOCUMENT_BYTES = 32 * 1024 * 1024;
/** The entry's own objects, and its key. */
const ENTRY_BYTES = 512;

/** In the form that Apollo Server wants for `documentStore`. */
export function createParsedDocuments() {
  const documents = new LRUCache<string, DocumentNode>({
    maxSize: MAX_DOCUMENT_BYTES,
    sizeCalculation: (document) =>
      estimateDocumentBytes(document) + textBytes(document.loc?.source.body ?? '') + ENTRY_BYTES,
  });
  return {
    get: async (key: string) => documents.get(key),
    set: async (key: string, document: DocumentNode) => void documents.set(key, document),
    delete: async (key: string) => documents.delete(key),
    usage: () => ({ documents: documents.size, bytes: documents.calculatedSize }),
  };
}
