/** Decides, before anything is validated or resolved, whether an operation is within all limits: one answer for HTTP and websocket. */
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { type ErrorCode, GatewayError } from '../../errors.js';
import { estimateDocumentBytes, textBytes } from '../../execution/documentBytes.js';
import { createCostTable } from './costTable.js';
import { countRepeats } from './countRepeats.js';
import { countTokens } from './countTokens.js';
import { type DocumentShape, isIntrospecting, measureShape } from './documentShape.js';
import { estimateCost } from './estimateCost.js';
import { collectFragments, type Fragments, findCircularFragment } from './fragments.js';
import type { OperationLimits } from './operationLimits.js';

export interface OperationRequest {
  /** The document's text. */
  source: string;
  operationName: string | undefined;
  variables: Readonly<Record<string, unknown>>;
}

/** What an operation is expected to cost, and what it might. */
export interface OperationCost {
  estimated: number;
  budget: number;
}

export interface CheckedOperation {
  kind: `${OperationTypeNode}`;
  cost: OperationCost;
}

export interface OperationGuard {
  /**
   * Undefined where nothing can be told: the document is no GraphQL or names no operation to run, which whoever
   * executes it will say. Throws the code of the first limit that is exceeded.
   */
  check(request: OperationRequest): CheckedOperation | undefined;
  /** The documents that are remembered, and the memory that they take by the estimate that the bound is kept by. */
  usage(): { documents: number; bytes: number };
}

interface CheckedDocument {
  document: DocumentNode;
  fragments: Fragments;
  /** Of operations whose variables make no difference. */
  costs: Map<OperationDefinitionNode, number>;
}

/** Documents within the limits are remembered, so that a repeated document is parsed and measured once. */
export const MAX_GUARD_BYTES = 16 * 1024 * 1024;
/** The entry's own objects, and a cost for each operation. */
const ENTRY_BYTES = 1024;

export function createOperationGuard(schema: GraphQLSchema, limits: OperationLimits): OperationGuard {
  const table = createCostTable(schema);
  const checked = new LRUCache<string, CheckedDocument>({
    maxSize: MAX_GUARD_BYTES,
    sizeCalculation: ({ document }, source) =>
      estimateDocumentBytes(document) + textBytes(source) + ENTRY_BYTES,
  });

  function checkDocument(source: string): CheckedDocument | undefined {
    const known = checked.get(source);
    if (known) return known;
    throwIfAbove('TOO_MANY_TOKENS', 'tokens', countTokens(source, limits.maxTokens), limits.maxTokens);
    const document = parseOrUndefined(source);
    if (!document) return undefined;
    const fragments = collectFragments(document);
    checkShape(document, fragments, limits);
    const entry = { document, fragments, costs: new Map() };
    checked.set(source, entry);
    return entry;
  }

  function estimate(
    { fragments, costs }: CheckedDocument,
    operation: OperationDefinitionNode,
    variables: OperationRequest['variables'],
  ): number {
    const rootType = schema.getRootType(operation.operation)?.name ?? OperationTypeNode.QUERY;
    const { cost, isConstant } = estimateCost({ table, fragments, operation, variables, rootType });
    if (isConstant) costs.set(operation, cost);
    return cost;
  }

  return {
    check({ source, operationName, variables }) {
      const entry = checkDocument(source);
      const operation = entry && getOperationAST(entry.document, operationName);
      if (!operation) return undefined;
      const cost = entry.costs.get(operation) ?? estimate(entry, operation, variables);
      checkCost(cost, limits.maxCost);
      return { kind: operation.operation, cost: { estimated: round(cost), budget: limits.maxCost } };
    },
    usage: () => ({ documents: checked.size, bytes: checked.calculatedSize }),
  };
}

function checkShape(document: DocumentNode, fragments: Fragments, limits: OperationLimits): void {
  const circular = findCircularFragment(fragments);
  if (circular !== undefined) {
    throw new GatewayError('CIRCULAR_FRAGMENT', `The fragment ${circular} contains itself.`);
  }
  if (!limits.allowsIntrospection && isIntrospecting(document)) {
    throw new GatewayError('INTROSPECTION_OFF', 'This gateway does not show its schema.');
  }
  const { depth, directives, rootFields, ...shape } = measureShape(document, fragments);
  throwIfAbove('TOO_MANY_ALIASES', 'aliases', countAliases(shape, limits), limits.maxAliases);
  throwIfAbove('TOO_MANY_DIRECTIVES', 'directives at one place', directives, limits.maxDirectives);
  throwIfAbove('TOO_MANY_ROOT_FIELDS', 'fields at its top', rootFields, limits.maxRootFields);
  throwIfAbove('TOO_DEEP', 'levels', depth, limits.maxDepth);
  const repeats = countRepeats(document, fragments, limits.maxRepeats);
  throwIfAbove('TOO_MANY_REPEATS', 'repeats of a name at one place', repeats, limits.maxRepeats);
}

/**
 * A dashboard asks for many tiles at once, each under an alias of its own: within the limit on root fields their aliases
 * are free, since each is measured by its cost like any other root field.
 */
function countAliases(
  { aliases, rootAliases }: Pick<DocumentShape, 'aliases' | 'rootAliases'>,
  { maxRootFields }: OperationLimits,
): number {
  return rootAliases <= maxRootFields ? aliases : aliases + rootAliases;
}

/** Counting ends where there are too many. */
const countedUpToLimit: ReadonlySet<ErrorCode> = new Set(['TOO_MANY_TOKENS', 'TOO_MANY_REPEATS']);

function throwIfAbove(code: ErrorCode, what: string, actual: number, most: number): void {
  if (actual <= most) return;
  const counted = countedUpToLimit.has(code) ? `more than ${most}` : String(actual);
  throw new GatewayError(code, `The operation has ${counted} ${what}; at most ${most} are allowed.`);
}

function checkCost(cost: number, budget: number): void {
  if (cost <= budget) return;
  const message = `The operation may cost ${round(cost)}; its budget is ${budget}. Ask for fewer items or fewer fields of each.`;
  throw new GatewayError('COST_TOO_HIGH', message);
}

function round(cost: number): number {
  return Math.ceil(cost * 10) / 10;
}

function parseOrUndefined(source: string): DocumentNode | undefined {
  try {
    return parse(source, { noLocation: true });
  } catch (error) {
    if (error instanceof GraphQLError) return undefined;
    throw error;
  }
}
