/** Checks an operation against all limits before it is validated or executed, on every transport. */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  Source,
  type Token,
  TokenKind,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { type ErrorCode, GatewayError } from '../../errors.js';
import { collectFragments, type Fragments } from '../../execution/collectFields.js';
import { estimateDocumentBytes, textBytes } from '../../execution/documentBytes.js';
import { listSelections } from '../documents/fragments.js';
import { hashDocument } from '../documents/trustedDocuments.js';
import { createCostTable } from './costTable.js';
import { countRepeats, type DocumentShape, isIntrospecting, measureShape } from './documentShape.js';
import { type CostRequest, estimateCost, listCostliestFields } from './estimateCost.js';
import { MAX_NAME_CHARACTERS, type OperationLimits } from './operationLimits.js';

interface OperationRequest {
  source: string;
  operationName: string | undefined;
  variables: Readonly<Record<string, unknown>>;
}

/** The estimated cost of an operation and the maximum allowed. */
export interface OperationCost {
  estimated: number;
  budget: number;
}

export type OperationGuard = ReturnType<typeof createOperationGuard>;

interface CheckedDocument {
  document: DocumentNode;
  fragments: Fragments;
  /** SHA-256 of its text. */
  hash: string;
  /** The costs of operations whose cost does not depend on variables. */
  costs: Map<OperationDefinitionNode, number>;
}

/** Documents within the limits are cached, so that a repeated document is parsed and measured once. */
export const MAX_GUARD_BYTES = 16 * 1024 * 1024;
/** Documents have fewer selections than tokens, unless they spread fragments below many different arguments. */
const SELECTIONS_PER_TOKEN = 10;
/** A string counts as one token for each of these characters. */
const CHARACTERS_PER_TOKEN = 32;
/** The objects of a cache entry besides the document. */
const ENTRY_BYTES = 1024;

export function createOperationGuard(schema: GraphQLSchema, limits: OperationLimits) {
  const table = createCostTable(schema);
  const cache = new LRUCache<string, CheckedDocument>({
    maxSize: MAX_GUARD_BYTES,
    sizeCalculation: ({ document }, source) =>
      estimateDocumentBytes(document) + textBytes(source) + ENTRY_BYTES,
  });

  function checkDocument(source: string): CheckedDocument | undefined {
    const cached = cache.get(source);
    if (cached) return cached;
    throwIfAbove('TOO_MANY_TOKENS', 'tokens', countTokens(source, limits.maxTokens), limits.maxTokens);
    const document = parseOrUndefined(source);
    if (!document) return undefined;
    const fragments = collectFragments(document);
    checkShape(document, fragments, limits);
    const checked = { document, fragments, hash: hashDocument(source), costs: new Map() };
    cache.set(source, checked);
    return checked;
  }

  function toCostRequest(
    { fragments }: CheckedDocument,
    operation: OperationDefinitionNode,
    variables: OperationRequest['variables'],
  ): CostRequest {
    const rootType = schema.getRootType(operation.operation)?.name ?? OperationTypeNode.QUERY;
    const maxSelections = limits.maxTokens * SELECTIONS_PER_TOKEN;
    return { table, fragments, operation, variables, rootType, maxSelections, maxCost: limits.maxCost };
  }

  function estimate({ costs }: CheckedDocument, request: CostRequest): number {
    const { cost, isConstant } = estimateCost(request);
    if (isConstant) costs.set(request.operation, cost);
    return cost;
  }

  return {
    /**
     * Throws a `GatewayError` with the code of the first limit that the operation exceeds. Returns undefined if the
     * document has a syntax error or no operation to run; Apollo Server reports those.
     */
    check({ source, operationName, variables }: OperationRequest) {
      const checked = checkDocument(source);
      const operation = checked && getOperationAST(checked.document, operationName);
      if (!operation) return undefined;
      const request = toCostRequest(checked, operation, variables);
      const cost = checked.costs.get(operation) ?? estimate(checked, request);
      if (cost > limits.maxCost) throw createCostError(cost, limits.maxCost, request);
      const { operation: kind, name } = operation;
      const allowed: OperationCost = { estimated: round(cost), budget: limits.maxCost };
      return { kind, name: name?.value, cost: allowed, hash: checked.hash };
    },
    /** The number of cached documents and their estimated memory in bytes. */
    usage: () => ({ documents: cache.size, bytes: cache.calculatedSize }),
  };
}

function checkShape(document: DocumentNode, fragments: Fragments, limits: OperationLimits): void {
  const { depth, directives, rootFields, ...shape } = measureShape(document, fragments);
  if (!limits.allowsIntrospection && isIntrospecting(document)) {
    throw new GatewayError('INTROSPECTION_OFF', 'Introspection is disabled on this gateway.');
  }
  checkSubscriptionRoots(document, fragments);
  checkAliases(shape, limits);
  throwIfAbove(
    'TOO_MANY_DIRECTIVES',
    'directives on one field, fragment, variable or operation',
    directives,
    limits.maxDirectives,
  );
  throwIfAbove('TOO_MANY_ROOT_FIELDS', 'root fields', rootFields, limits.maxRootFields);
  throwIfAbove('TOO_DEEP', 'levels of fields', depth, limits.maxDepth);
  const repeats = countRepeats(document, fragments, limits.maxRepeats);
  throwIfAbove(
    'TOO_MANY_REPEATS',
    'fields with the same name in one selection set',
    repeats,
    limits.maxRepeats,
  );
}

/**
 * The root field of a subscription must not depend on variables (GraphQL specification, September 2025, "Single Root
 * Field"). The validation of graphql-js 16 and its execution throw if it does.
 */
function checkSubscriptionRoots({ definitions }: DocumentNode, fragments: Fragments): void {
  for (const definition of definitions) {
    const isSubscription =
      definition.kind === Kind.OPERATION_DEFINITION && definition.operation === 'subscription';
    if (!isSubscription) continue;
    const directives = listSelections(definition, fragments).flatMap(
      (selection) => selection.directives ?? [],
    );
    if (!directives.some(({ name }) => name.value === 'skip' || name.value === 'include')) continue;
    const message = 'Directives "@skip" and "@include" cannot be used on the root field of a subscription.';
    throw new GatewayError('GRAPHQL_VALIDATION_FAILED', message);
  }
}

/**
 * Aliases of root fields are free within the limit on root fields. A dashboard requests many tiles at once, each under its
 * own alias, and the cost of each is limited like that of any other root field.
 */
function checkAliases(
  { aliases, rootAliases }: Pick<DocumentShape, 'aliases' | 'rootAliases'>,
  { maxAliases, maxRootFields }: OperationLimits,
): void {
  const countsRoots = rootAliases > maxRootFields;
  const hint = countsRoots
    ? ` Aliases of root fields do not count if there are at most ${maxRootFields}.`
    : '';
  throwIfAbove(
    'TOO_MANY_ALIASES',
    'aliases',
    countsRoots ? aliases + rootAliases : aliases,
    maxAliases,
    hint,
  );
}

/**
 * Counts tokens without parsing, up to `max + 1`. In a document with a syntax error, counts the tokens before it. Throws
 * GRAPHQL_PARSE_FAILED for a long name.
 */
function countTokens(text: string, max: number): number {
  const lexer = new Lexer(new Source(text));
  let count = 0;
  while (count <= max && hasNext(lexer)) {
    checkName(lexer.token);
    count += weighToken(lexer.token);
  }
  return count;
}

/** Lexing a block string takes as long as lexing many tokens. */
function weighToken({ kind, start, end }: Token): number {
  const isString = kind === TokenKind.STRING || kind === TokenKind.BLOCK_STRING;
  return isString ? Math.ceil((end - start) / CHARACTERS_PER_TOKEN) : 1;
}

function checkName({ kind, start, end, line, column }: Token): void {
  if (kind !== TokenKind.NAME || end - start <= MAX_NAME_CHARACTERS) return;
  const message = `The name at line ${line}, column ${column} has ${end - start} characters. The limit is ${MAX_NAME_CHARACTERS}.`;
  throw new GatewayError('GRAPHQL_PARSE_FAILED', message);
}

function hasNext(lexer: Lexer): boolean {
  try {
    return lexer.advance().kind !== TokenKind.EOF;
  } catch (error) {
    // The parser reports the same syntax error later.
    if (error instanceof GraphQLError) return false;
    throw error;
  }
}

/** Counting stops one above these limits, so the exact number is unknown. */
const countedUpToLimit: ReadonlySet<ErrorCode> = new Set(['TOO_MANY_TOKENS', 'TOO_MANY_REPEATS']);

/** Fragments can double a number many times. Larger ones are not shown. */
const MAX_SHOWN_NUMBER = 1_000_000_000;

function formatNumber(number: number): string {
  return number > MAX_SHOWN_NUMBER ? `more than ${MAX_SHOWN_NUMBER}` : String(number);
}

function throwIfAbove(code: ErrorCode, unit: string, actual: number, max: number, hint = ''): void {
  if (actual <= max) return;
  const count = countedUpToLimit.has(code) ? `more than ${max}` : formatNumber(actual);
  throw new GatewayError(code, `The operation has ${count} ${unit}. The limit is ${max}.${hint}`);
}

const MAX_NAMED_FIELDS = 5;

function createCostError(cost: number, max: number, request: CostRequest): GatewayError {
  const costliestFields = listCostliestFields(request, MAX_NAMED_FIELDS).map(({ field, cost: share }) => ({
    field,
    cost: round(share),
  }));
  const [first] = costliestFields;
  const most = first ? ` ${first.field} costs most: ${formatNumber(first.cost)}.` : '';
  const message = `The operation has an estimated cost of ${formatNumber(round(cost))}. The limit is ${max}.${most} Request fewer items, or fewer fields of each.`;
  return new GatewayError('COST_TOO_HIGH', message, { costliestFields });
}

function round(cost: number): number {
  return Math.ceil(cost * 10) / 10;
}

/**
 * Undefined for a syntax error. Throws GRAPHQL_PARSE_FAILED for an unpaired surrogate: Apollo Server finds documents by
 * their hash, in which it equals U+FFFD, and would execute a document that was not checked here.
 */
function parseOrUndefined(source: string): DocumentNode | undefined {
  try {
    return parse(source, { noLocation: true });
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    if (/\p{Surrogate}/u.test(source)) throw new GatewayError('GRAPHQL_PARSE_FAILED', error.message);
    return undefined;
  }
}
