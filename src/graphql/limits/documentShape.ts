/** Measures a document without knowing the schema: what can be refused before it is validated. */
import { type DocumentNode, Kind, type SelectionNode, type SelectionSetNode } from 'graphql';
import { eachNode } from './eachNode.js';
import type { Fragments } from './fragments.js';

export interface DocumentShape {
  /** Of the deepest operation. */
  depth: number;
  /** Of all operations and fragments as they are written. */
  aliases: number;
  /** The most at one place. */
  directives: number;
  /** Of the operation that has most. */
  rootFields: number;
}

interface SelectionSize {
  depth: number;
  /** Fields of this level, fragments followed. */
  fields: number;
}

const EMPTY: SelectionSize = { depth: 0, fields: 0 };

/** `fragments` may not be circular. Each fragment is measured once, however often it is spread. */
export function measureShape(document: DocumentNode, fragments: Fragments): DocumentShape {
  const sizes = document.definitions
    .filter((one) => one.kind === Kind.OPERATION_DEFINITION)
    .map(({ selectionSet }) => createSelectionMeter(fragments)(selectionSet));
  return {
    depth: Math.max(0, ...sizes.map(({ depth }) => depth)),
    rootFields: Math.max(0, ...sizes.map(({ fields }) => fields)),
    ...countNodes(document),
  };
}

function createSelectionMeter(fragments: Fragments) {
  const known = new Map<string, SelectionSize>();

  function measureFragment(name: string): SelectionSize {
    const size = known.get(name) ?? measureSet(fragments.get(name)?.selectionSet);
    known.set(name, size);
    return size;
  }

  function measureSelection(selection: SelectionNode): SelectionSize {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return measureFragment(selection.name.value);
    const inner = measureSet(selection.selectionSet);
    return selection.kind === Kind.INLINE_FRAGMENT ? inner : { depth: inner.depth + 1, fields: 1 };
  }

  function measureSet(set: SelectionSetNode | undefined): SelectionSize {
    return (set?.selections ?? []).map(measureSelection).reduce(merge, EMPTY);
  }

  return measureSet;
}

function merge(left: SelectionSize, right: SelectionSize): SelectionSize {
  return { depth: Math.max(left.depth, right.depth), fields: left.fields + right.fields };
}

function countNodes(document: DocumentNode): Pick<DocumentShape, 'aliases' | 'directives'> {
  let aliases = 0;
  let directives = 0;
  eachNode(document, (node) => {
    if (node.kind === Kind.FIELD && node.alias) aliases += 1;
    if ('directives' in node) directives = Math.max(directives, node.directives?.length ?? 0);
  });
  return { aliases, directives };
}

/** Whether a document asks for the schema; `__typename` does not. */
export function isIntrospecting(document: DocumentNode): boolean {
  let found = false;
  eachNode(document, (node) => {
    found ||= node.kind === Kind.FIELD && /^__(schema|type)$/.test(node.name.value);
  });
  return found;
}
