/** Reads the documents that the operator trusts from a directory, and compares them with the schema. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import { messageOf } from '../../lib/errorMessage.js';
import type { Logger } from '../../lib/logger.js';
import { isRecord, parseJsonFile, toLineAndColumn, toRecord } from '../../lib/records.js';
import { readTextFile } from '../../lib/settingFiles.js';
import { SettingFileError } from '../../lib/startupErrors.js';
import { validationRules } from './incrementalRules.js';

interface TrustedDocument {
  /** The forms that clients may send: with and without surrounding white space. */
  texts: readonly string[];
  document: DocumentNode;
  /** Names the file and the position of an error in it. */
  describe(error: GraphQLError): string;
}

/** The second name is the default of GraphQL Code Generator, the third one that of Apollo's manifest generator. */
const MANIFESTS = ['manifest.json', 'persisted-documents.json', 'persisted-query-manifest.json'];
const SHA_1 = /^[0-9a-f]{40}$/;

/** SHA-256 in lower-case hexadecimal digits. */
export function hashDocument(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

export function toTextsByHash(documents: readonly TrustedDocument[]): ReadonlyMap<string, string> {
  return new Map(documents.flatMap(({ texts }) => texts.map((text) => [hashDocument(text), text])));
}

/**
 * Reads every `*.graphql` file, and the documents in manifests: an object of hash → text, or Apollo's format. Without a
 * directory there are none. Rejects with a `SettingFileError` that names the file if a document has a syntax error, if a
 * hash does not match its text, or if the directory cannot be read.
 */
export async function readTrustedDocuments(directory: string | undefined): Promise<TrustedDocument[]> {
  if (directory === undefined) return [];
  try {
    return await readDocuments(directory);
  } catch (error) {
    throw new SettingFileError('TRUSTED_DOCUMENTS', messageOf(error));
  }
}

async function readDocuments(directory: string): Promise<TrustedDocument[]> {
  const names = (await readdir(directory)).sort();
  const documents: TrustedDocument[] = [];
  for (const name of names.filter((one) => one.endsWith('.graphql'))) {
    const text = await readTextFile(path.join(directory, name));
    const describe = ({ message, locations }: GraphQLError) =>
      `${name}, line ${locations?.[0]?.line ?? 1}: ${message}`;
    documents.push(toDocument([text, text.trim()], describe));
  }
  for (const name of names.filter((one) => MANIFESTS.includes(one))) {
    documents.push(...readManifest(name, await readTextFile(path.join(directory, name))));
  }
  return documents;
}

function readManifest(name: string, text: string): TrustedDocument[] {
  const content = parseManifest(name, text);
  if (!isRecord(content)) throw new Error(`${name} does not contain a JSON object.`);
  return listEntries(content).map(([id, document]) => {
    const place = () => {
      const { line } = toLineAndColumn(text, Math.max(0, text.indexOf(JSON.stringify(id))));
      return `${name}, line ${line}, ${id}`;
    };
    const hash = id.replace(/^sha256:/, '').toLowerCase();
    if (typeof document !== 'string' || hashDocument(document) !== hash) {
      const hint = SHA_1.test(hash)
        ? ' It looks like a SHA-1: set `hashAlgorithm: "sha256"` in your tool.'
        : '';
      throw new Error(`${place()}: this is not the SHA-256 of its document.${hint}`);
    }
    return toDocument([document], ({ message }) => `${place()}: ${message}`);
  });
}

/** The hashes and documents of a manifest. Apollo's format is an object with a list of `operations`. */
function listEntries(content: Readonly<Record<string, unknown>>): [id: string, document: unknown][] {
  const { operations } = content;
  if (!Array.isArray(operations)) return Object.entries(content);
  return operations.map(toRecord).map(({ id, body }) => [String(id), body]);
}

function parseManifest(name: string, text: string): unknown {
  try {
    return parseJsonFile(text);
  } catch (error) {
    throw new Error(`${name}: ${messageOf(error)}`);
  }
}

function toDocument(
  texts: readonly [string, ...string[]],
  describe: TrustedDocument['describe'],
): TrustedDocument {
  try {
    return { texts, document: parse(texts[0]), describe };
  } catch (error) {
    throw error instanceof GraphQLError ? new Error(describe(error)) : error;
  }
}

/** Returns one description for each document that the schema does not allow to execute. */
export function findInvalidDocuments(documents: readonly TrustedDocument[], schema: GraphQLSchema): string[] {
  return documents.flatMap(({ document, describe }) => {
    const [error] = validate(schema, document, validationRules);
    return error ? [describe(error)] : [];
  });
}

/** Bound of the log line. */
const MAX_LOGGED_DOCUMENTS = 20;

/** Warnings, not errors: while clients are upgraded, documents of their next or previous version are normal. */
export function warnAboutDocuments(
  directory: string | undefined,
  documents: readonly TrustedDocument[],
  schema: GraphQLSchema,
  logger: Logger,
): void {
  if (directory !== undefined && documents.length === 0) {
    logger.warn({ directory }, 'TRUSTED_DOCUMENTS contains no document');
  }
  const invalid = findInvalidDocuments(documents, schema);
  if (invalid.length === 0) return;
  logger.warn(
    { documents: invalid.slice(0, MAX_LOGGED_DOCUMENTS), total: invalid.length },
    'Trusted documents do not match the schema',
  );
}
