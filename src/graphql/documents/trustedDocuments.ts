/** Reads the documents that the operator trusts from a directory, and compares them with the schema. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import { messageOf } from '../../lib/errorMessage.js';
import type { Logger } from '../../lib/logger.js';
import { isRecord, parseJsonFile, toLineAndColumn, toRecord } from '../../lib/records.js';
import { readTextFile, watchFiles } from '../../lib/settingFiles.js';
import { runInSlices, type SlicedComputation } from '../../lib/slicedComputation.js';
import { SettingFileError } from '../../lib/startupErrors.js';
import { validationRules } from './incrementalRules.js';

export interface TrustedDocument {
  /** The id in a manifest, without the prefix of a hash. */
  id?: string | undefined;
  /** The forms that clients may send: with and without surrounding white space. */
  texts: readonly [string, ...string[]];
  document: DocumentNode;
  /** Names the file and the position of an error in it. */
  describe(error: GraphQLError): string;
}

/** The second name is the default of GraphQL Code Generator, the third one that of Apollo's manifest generator. */
const MANIFESTS = ['manifest.json', 'persisted-documents.json', 'persisted-query-manifest.json'];
/**
 * An id that an application chooses (GraphQL over HTTP, "Persisted Documents"): with a prefix that begins with `x-`, or
 * without a colon. Excludes ids that look like a SHA-1 or a SHA-256.
 */
const CUSTOM_ID = /^(?:x-[^:]+:.|(?!(?:[0-9a-fA-F]{40}|[0-9a-fA-F]{64})$)[^:]+$)/;
/** Maximum of `documentId`. A SHA-256 with its prefix has 71. */
export const MAX_DOCUMENT_ID_CHARACTERS = 256;
const SHA_1 = /^[0-9a-f]{40}$/;

/** SHA-256 in lower-case hexadecimal digits. */
export function hashDocument(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Throws an error with the file and the line of an id that two documents have. */
export function toTextsById(documents: readonly TrustedDocument[]): ReadonlyMap<string, string> {
  const byId = new Map<string, string>();
  for (const { texts, id, describe } of documents) {
    for (const text of texts) byId.set(hashDocument(text), text);
    if (id === undefined) continue;
    if ((byId.get(id) ?? texts[0]) !== texts[0])
      throw new Error(describe(new GraphQLError('Another document has the same id.')));
    byId.set(id, texts[0]);
  }
  return byId;
}

/**
 * Reads every `*.graphql` file, and the documents in manifests: an object of hash or id → text, or Apollo's format. Rejects
 * with a `SettingFileError` that names the file if a document has a syntax error, if a hash does not match its text, or if
 * the directory cannot be read.
 */
export async function readTrustedDocuments(directory: string): Promise<TrustedDocument[]> {
  try {
    return await runInSlices(parseFiles(await readDocumentFiles(directory)));
  } catch (error) {
    throw new SettingFileError('TRUSTED_DOCUMENTS', messageOf(error));
  }
}

interface DocumentFile {
  name: string;
  text: string;
}

async function readDocumentFiles(directory: string): Promise<DocumentFile[]> {
  const names = (await readdir(directory)).sort();
  const files: DocumentFile[] = [];
  const manifests = names.filter((name) => MANIFESTS.includes(name));
  for (const name of [...names.filter((one) => one.endsWith('.graphql')), ...manifests])
    files.push({ name, text: await readTextFile(path.join(directory, name)) });
  return files;
}

/** In slices, because other requests are served at the same time. */
function* parseFiles(files: readonly DocumentFile[]): SlicedComputation<TrustedDocument[]> {
  const documents: TrustedDocument[] = [];
  for (const { name, text } of files) {
    if (MANIFESTS.includes(name)) documents.push(...(yield* parseManifest(name, text)));
    else documents.push(parseFile(name, text));
    yield;
  }
  return documents;
}

function parseFile(name: string, text: string): TrustedDocument {
  return toDocument(
    [text, text.trim()],
    ({ message, locations }) => `${name}, line ${locations?.[0]?.line ?? 1}: ${message}`,
  );
}

function* parseManifest(name: string, text: string): SlicedComputation<TrustedDocument[]> {
  const content = parseJsonOf(name, text);
  if (!isRecord(content)) throw new Error(`${name} does not contain a JSON object.`);
  const documents: TrustedDocument[] = [];
  for (const [id, document] of listEntries(content, text)) {
    const locate = () => {
      const { line } = toLineAndColumn(text, Math.max(0, text.indexOf(JSON.stringify(id))));
      return `${name}, line ${line}, ${id || 'without an id'}`;
    };
    checkDocument(document, id, locate);
    documents.push({
      ...toDocument([document], ({ message }) => `${locate()}: ${message}`),
      id: id.replace(/^sha256:/, ''),
    });
    yield;
  }
  return documents;
}

/** Throws an error unless the id is the hash of the document, or one that the application has chosen. */
function checkDocument(document: unknown, id: string, locate: () => string): asserts document is string {
  if (id.length > MAX_DOCUMENT_ID_CHARACTERS)
    throw new Error(`${locate()}: an id has at most ${MAX_DOCUMENT_ID_CHARACTERS} characters.`);
  if (typeof document !== 'string') throw new Error(`${locate()}: the document is not a string.`);
  const hash = id.replace(/^sha256:/, '').toLowerCase();
  if (CUSTOM_ID.test(id) || hashDocument(document) === hash) return;
  const hint = SHA_1.test(hash)
    ? 'It looks like a SHA-1: set `hashAlgorithm: "sha256"` in your tool.'
    : 'Any other id has no colon, or begins with `x-NAME:`.';
  throw new Error(`${locate()}: this is not the SHA-256 of its document. ${hint}`);
}

/** A string in JSON. */
const STRING = /"[^"\\]*(?:\\.[^"\\]*)*"/g;

/** The ids and documents of a manifest. Apollo's format is an object with a list of `operations`. */
function listEntries(
  content: Readonly<Record<string, unknown>>,
  text: string,
): [id: string, document: unknown][] {
  const { operations } = content;
  if (Array.isArray(operations))
    return operations.map(toRecord).map(({ id, body }) => [typeof id === 'string' ? id : '', body]);
  const entries = Object.entries(content);
  if (entries.some(([, document]) => typeof document !== 'string')) return entries;
  // `JSON.parse` keeps only the last of several documents with the same id.
  const strings = (text.match(STRING) ?? []).map((string) => String(JSON.parse(string)));
  return strings.flatMap((id, index) => (index % 2 === 0 ? [[id, strings[index + 1]]] : []));
}

function parseJsonOf(name: string, text: string): unknown {
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

/** Resolves with one description for each document that the schema does not allow to execute. */
export function findInvalidDocuments(
  documents: readonly TrustedDocument[],
  schema: GraphQLSchema,
): Promise<string[]> {
  return runInSlices(validateDocuments(documents, schema));
}

function* validateDocuments(
  documents: readonly TrustedDocument[],
  schema: GraphQLSchema,
): SlicedComputation<string[]> {
  const invalid: string[] = [];
  for (const { document, describe } of documents) {
    const [error] = validate(schema, document, validationRules);
    if (error) invalid.push(describe(error));
    yield;
  }
  return invalid;
}

/** Bound of the log line. */
const MAX_LOGGED_DOCUMENTS = 20;

interface WatchOptions {
  schema: GraphQLSchema;
  /** Uses these documents from now on, and no others. */
  replace(documents: ReadonlyMap<string, string>): void;
  /** Whether to compare the documents with the schema. Only one of several processes does this. */
  checksPlatform?: boolean | undefined;
  logger: Logger;
}

/**
 * Reads the documents of the directory, and again after each change. If files are unusable, the previous documents
 * stay in use. The same applies if the directory is empty, because it may be about to be filled. Rejects with a
 * `SettingFileError` if the files are unusable at first.
 */
export async function watchTrustedDocuments(
  directory: string | undefined,
  { schema, replace, checksPlatform, logger }: WatchOptions,
): Promise<{ close(): void }> {
  if (directory === undefined) return { close() {} };
  let count = 0;
  return watchFiles({
    isDirectory: true,
    read: () => readDocumentFiles(directory),
    async apply(files) {
      const documents = await runInSlices(parseFiles(files));
      if (documents.length === 0 && count > 0) throw new Error(`${directory} contains no document.`);
      replace(toTextsById(documents));
      count = documents.length;
      if (checksPlatform) await warnAboutDocuments(directory, documents, schema, logger);
    },
    onReload: () => logger.info({ documents: count }, 'Trusted documents read'),
    onFailure: (cause) =>
      logger.error({ cause }, 'TRUSTED_DOCUMENTS is not usable; keeping the previous documents'),
  }).catch((error: unknown) => {
    throw new SettingFileError('TRUSTED_DOCUMENTS', messageOf(error));
  });
}

/** Warnings, not errors: while clients are upgraded, documents of their next or previous version are normal. */
export async function warnAboutDocuments(
  directory: string,
  documents: readonly TrustedDocument[],
  schema: GraphQLSchema,
  logger: Logger,
): Promise<void> {
  if (documents.length === 0) logger.warn({ directory }, 'TRUSTED_DOCUMENTS contains no document');
  const invalid = await findInvalidDocuments(documents, schema);
  if (invalid.length === 0) return;
  logger.warn(
    { documents: invalid.slice(0, MAX_LOGGED_DOCUMENTS), total: invalid.length },
    'Trusted documents do not match the schema',
  );
}
