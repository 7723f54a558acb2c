/** Reads trusted documents from a directory. Each is identified by the SHA-256 hash of its text. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { GraphQLError, parse } from 'graphql';

/** Texts of documents by SHA-256 hash in lower-case hexadecimal digits. */
export type TrustedDocuments = ReadonlyMap<string, string>;

const MANIFEST = 'manifest.json';

export function hashDocument(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Reads every `*.graphql` file, under the hashes of its text with and without surrounding white space, and the documents in
 * `manifest.json`, an object of hash → text. Throws an error that names the file if a document has a syntax error, a hash
 * does not match its text, or the directory cannot be read.
 */
export function readTrustedDocuments(directory: string): TrustedDocuments {
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
  if (typeof content !== 'object' || content === null)
    throw new Error(`${file} does not contain a JSON object.`);
  return Object.entries(content).map(([hash, text]: [string, unknown]) => {
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
