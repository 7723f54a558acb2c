/** A schema in which every field may return anything, depending on a seed: late, wrong, missing or failing values. */
import { setImmediate } from 'node:timers/promises';
import { makeExecutableSchema } from '@graphql-tools/schema';
import {
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  GraphQLScalarType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  responsePathAsArray,
} from 'graphql';
import { seededHash } from '../../../src/sandbox/seed/seededNoise.js';
import { createRandom, type Random } from '../random.js';

const typeDefs = `
  directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  directive @stream(if: Boolean! = true, label: String, initialCount: Int = 0) on FIELD
  interface Named { name: String! }
  union Any = Tree | Leaf
  enum Color { RED GREEN }
  scalar Odd
  input Choice { color: Color = GREEN, numbers: [Int!] }
  type Leaf implements Named { name: String!, weight: Float, root: Tree }
  type Tree implements Named {
    name: String!, title: String, id: ID!, count: Int, ratio: Float!, flag: Boolean, color: Color, odd: Odd
    texts: [String], textsThere: [String!]!, numbers: [Float!], matrix: [[Int]!]
    child: Tree, childThere: Tree!, children: [Tree], childrenThere: [Tree!]!, grid: [[Tree!]]!
    named: Named, namedThere: Named!, nameds: [Named!], any: Any, anys: [Any]
    resolved(choice: Choice, at: Int! = 1): String, resolvedThere: ID!, found(choice: Choice, id: ID): Tree
    foundThere: Tree!, allFound(first: Int): [Tree!]
  }
  type Query { tree(id: ID): Tree, treeThere: Tree!, trees(first: Int): [Tree!]!, any: Any, title: String, many(count: Int): [Tree] }
  type Mutation { tree(id: ID): Tree, treeThere: Tree!, trees(first: Int): [Tree!]!, any: Any, title: String }
`;

/** The same for the same seed, both in each response and as an object. */
interface OddObject {
  readonly seed: number;
}

interface OddContext {
  /** Determines the objects that resolvers return. */
  readonly seed: number;
  /** Also determines the results of methods of objects. */
  readonly turn: number;
}

const Odd = new GraphQLScalarType({
  name: 'Odd',
  serialize: (value) => (value === 'nothing' ? undefined : value),
});

/** From all arguments of the resolver, so that a wrong path or argument changes the result. */
const resolve: GraphQLFieldResolver<OddObject | undefined, OddContext> = (source, args, context, info) => {
  const { fieldName, parentType, path, variableValues } = info;
  const inputs = [fieldName, parentType.name, responsePathAsArray(path), args, variableValues, source?.seed];
  return makeFieldValue(info.returnType, hashText(JSON.stringify(inputs), context.seed));
};

const many: GraphQLFieldResolver<unknown, OddContext, { count: number | null }> = (_, { count }, { seed }) =>
  Array.from({ length: count ?? 0 }, (__, index) => objectOf('Tree', seededHash(seed, index)));

export const oddSchema = makeExecutableSchema<OddContext>({
  typeDefs,
  resolvers: {
    Odd,
    Query: { tree: resolve, treeThere: resolve, trees: resolve, any: resolve, title: resolve, many },
    Mutation: { tree: resolve, treeThere: resolve, trees: resolve, any: resolve, title: resolve },
    Tree: {
      ...{ resolved: resolve, resolvedThere: resolve, found: resolve },
      ...{ foundThere: resolve, allFound: resolve },
    },
  },
});

function hashText(text: string, seed: number): number {
  return [...text].reduce((hash, letter) => seededHash(hash, letter.charCodeAt(0)), seed);
}

/** The value of a field or of a list item; may throw. */
function makeFieldValue(type: GraphQLOutputType, seed: number): unknown {
  const random = createRandom(seed);
  const value = () => makeValue(type, seededHash(seed, 1), random);
  const failure = random.chance(0.5) ? new Error(`failed ${seed % 100}`) : `no error ${seed % 100}`;
  const roll = random.below(100);
  if (roll < 4) return random.pick([null, undefined]);
  if (roll < 7) return new Error(`returned ${seed % 100}`);
  if (roll < 10) throw failure;
  if (roll < 18) return Promise.resolve(value());
  if (roll < 24) return handled(late(random, value));
  if (roll < 27) return handled(Promise.reject(failure));
  if (roll < 30) {
    const fail = () => {
      throw failure;
    };
    return handled(late(random, fail));
  }
  if (roll < 32) return Promise.resolve(value()).then((found) => Promise.resolve(found));
  if (roll < 35) return random.pick(['wrong', 7, { valueOf: (): number => 3 }, [1], Number.NaN]);
  return value();
}

/** A list that fails early leaves promises without a handler. */
function handled(promise: Promise<unknown>): Promise<unknown> {
  promise.catch(() => undefined);
  return promise;
}

async function late(random: Random, value: () => unknown): Promise<unknown> {
  if (random.chance(0.3)) await setImmediate();
  for (let turns = random.below(6); turns > 0; turns -= 1) await undefined;
  return value();
}

function makeValue(type: GraphQLOutputType, seed: number, random: Random): unknown {
  if (isNonNullType(type)) return makeValue(type.ofType, seed, random);
  if (isListType(type)) return makeList(type.ofType, seed, random);
  if (isLeafType(type)) return makeLeaf(type.name, random);
  if (!isAbstractType(type)) return objectOf(type.name, seed);
  if (random.chance(0.9)) return objectOf(random.pick(['Tree', 'Leaf']), seed);
  return { seed, __typename: random.pick(['Nothing', 'Color', 'Query', 5, null]) };
}

function makeList(type: GraphQLOutputType, seed: number, random: Random): unknown {
  const item = (index: number) => makeFieldValue(type, seededHash(seed, index));
  const length = random.below(4);
  const roll = random.below(10);
  if (roll === 0)
    return {
      *[Symbol.iterator]() {
        for (let index = 0; index < length; index += 1) yield item(index);
      },
    };
  // This world has no list whose construction throws: its items fail one by one.
  const items = Array.from({ length }, (_, index) => {
    try {
      return item(index);
    } catch (error) {
      return handled(Promise.reject(error));
    }
  });
  if (roll === 1) items.length += 1;
  return roll === 2 ? new Set(items) : items;
}

function makeLeaf(name: string, random: Random): unknown {
  switch (name) {
    case 'Int':
      return random.pick([0, -0, 7, -2147483648, 2147483648, '12', true, 1.5]);
    case 'Float':
      return random.pick([0, -0, 1.5, 1e21, 1e-7, 5e-324, '3.25', false, Number.POSITIVE_INFINITY]);
    case 'Boolean':
      return random.pick([true, false, 0, 1, 'true']);
    case 'Color':
      return random.pick(['RED', 'GREEN', 'BLUE']);
    case 'Odd':
      return random.pick([1, 'text', 'nothing', { deep: [1, null, { a: 'ü' }] }, [true], '\u2028"']);
    default:
      return random.pick([
        ...['plain', '', 'quote " and \\', 'line\nfeed', '\u0000\u001f\u007f', 'ü – 水', '\u2028\u2029'],
        ...['\ud83e\udda6', '\ud800', 'a\udc00b', '</script>', 12, 1.5, true, { toJSON: () => 'json' }],
      ]);
  }
}

const objects = new Map<string, OddObject>();

/** Each property computes the same value on every read; some are methods. */
function objectOf(typename: string, seed: number): OddObject {
  const key = `${typename}:${seed}`;
  const known = objects.get(key);
  if (known) return known;
  const made = { seed, __typename: typename };
  const type = oddSchema.getType(typename);
  for (const field of isObjectType(type) ? Object.values(type.getFields()) : []) {
    const own = hashText(field.name, seed);
    const isMethod = createRandom(own).chance(0.15);
    const method = (args: object, { seed: outerSeed, turn }: OddContext) =>
      makeFieldValue(field.type, hashText(JSON.stringify(args), seededHash(own, outerSeed, turn)));
    Object.defineProperty(made, field.name, {
      get: () => (isMethod ? method : makeFieldValue(field.type, own)),
    });
  }
  objects.set(key, made);
  return made;
}

/** Discards the objects that were made so far. */
export function discardObjects(): void {
  objects.clear();
}
