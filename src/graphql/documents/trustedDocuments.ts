/** Reads the documents that the operator trusts: the files of a directory, known by the SHA-256 of their text. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { GraphQLError, parse } from 'graphql';

/** By SHA-256, in lower-case hexadecimal digits: the document's text. */
export type TrustedDocuments = ReadonlyMap<string, string>;

const MANIFEST = 'manifest.json';

export function hashDocument(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * Every `*.graphql` file, as it is and without the white space around it, and what `manifest.json` lists: an
 * object of hash → text. Throws an error that names the file where one is no GraphQL, a hash is not that of its
 * text, or the directory can't be read.
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
  if (typeof content !== 'object' || content === null) throw new Error(`${file} holds no object.`);
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
    if (error instanceof GraphQLError) throw new Error(`${name} is no GraphQL: ${error.message}`);
    throw error;
  }
}
