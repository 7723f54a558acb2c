/** A page of a Relay connection, and its cursors: a type and two whole numbers in a string that clients do not parse. */
import { createBadInputError, type GatewayError, quoteText } from '../../errors.js';

export interface PageDetails<Node, EdgeFields extends object, HasNextPage> {
  /** A function if the value costs a REST call. */
  hasNextPage: HasNextPage;
  hasPreviousPage: boolean;
  cursorOf(node: Node, index: number): string;
  edgeFieldsOf(node: Node): EdgeFields;
}

/** Cursors are computed when a query selects them. */
export class ConnectionPage<
  Node,
  Nodes extends Iterable<Node> = readonly Node[],
  EdgeFields extends object = object,
  HasNextPage = boolean,
> {
  readonly nodes: Nodes;
  readonly details: PageDetails<Node, EdgeFields, HasNextPage>;

  constructor(nodes: Nodes, details: PageDetails<Node, EdgeFields, HasNextPage>) {
    this.nodes = nodes;
    this.details = details;
  }

  get edges(): readonly (EdgeFields & { node: Node; cursor: string })[] {
    const { cursorOf, edgeFieldsOf } = this.details;
    return Array.from(this.nodes, (node, index) => ({
      node,
      cursor: cursorOf(node, index),
      ...edgeFieldsOf(node),
    }));
  }

  get pageInfo() {
    const { hasNextPage, hasPreviousPage, cursorOf } = this.details;
    const nodes = [...this.nodes];
    const cursorAt = (index: number) => {
      const node = nodes[index];
      return node === undefined ? null : cursorOf(node, index);
    };
    return { hasNextPage, hasPreviousPage, startCursor: cursorAt(0), endCursor: cursorAt(nodes.length - 1) };
  }
}

const NO_FIELDS = {};

/** Edges that have only a node and a cursor. */
export const noEdgeFields = () => NO_FIELDS;

/** The type of a list's items. In another list the numbers of a cursor would name an arbitrary place. */
export type CursorType =
  | 'Organization'
  | 'User'
  | 'Site'
  | 'Device'
  | 'Channel'
  | 'Stream'
  | 'Sample'
  | 'RfidRead';

export function encodeCursor(type: CursorType, [one, other]: readonly [number, number]): string {
  return Buffer.from(`${type}.${one}.${other}`).toString('base64url');
}

const MAX_CURSOR_CHARACTERS = 128;

/** Reads the argument `after`. Throws BAD_USER_INPUT if it is not a cursor of a list of this type. */
export function decodeCursor(expected: CursorType, cursor: string): [number, number] {
  if (cursor.length > MAX_CURSOR_CHARACTERS) throw createCursorError(cursor);
  const text = Buffer.from(cursor, 'base64url').toString('latin1');
  const match = /^([A-Za-z]+)\.(\d{1,16})\.(\d{1,16})$/.exec(text);
  const numbers = [Number(match?.[2]), Number(match?.[3])] as const;
  if (match?.[1] !== expected || !numbers.every(Number.isSafeInteger)) {
    throw createCursorError(cursor);
  }
  return [...numbers];
}

export function createCursorError(cursor: string): GatewayError {
  const message = `${quoteText(cursor)} is not a cursor of this list; use a cursor from pageInfo.`;
  return createBadInputError('after', message);
}
