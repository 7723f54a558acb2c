/** The fragments of a document by name, and whether they lead back to themselves. */
import { type DocumentNode, type FragmentDefinitionNode, Kind } from 'graphql';
import { eachNode } from './eachNode.js';

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export function collectFragments({ definitions }: DocumentNode): Fragments {
  const fragments = definitions.filter((one) => one.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/** The name of a fragment that contains itself; undefined where there is none. Each fragment is looked at once. */
export function findCircularFragment(fragments: Fragments): string | undefined {
  const done = new Set<string>();
  const open = new Set<string>();

  function search(name: string): string | undefined {
    if (open.has(name)) return name;
    const fragment = fragments.get(name);
    if (done.has(name) || !fragment) return undefined;
    open.add(name);
    const found = firstDefined(listSpreads(fragment), search);
    open.delete(name);
    done.add(name);
    return found;
  }

  return firstDefined([...fragments.keys()], search);
}

function listSpreads(fragment: FragmentDefinitionNode): string[] {
  const names = new Set<string>();
  eachNode(fragment, (node) => {
    if (node.kind === Kind.FRAGMENT_SPREAD) names.add(node.name.value);
  });
  return [...names];
}

function firstDefined(
  names: readonly string[],
  search: (name: string) => string | undefined,
): string | undefined {
  for (const name of names) {
    const found = search(name);
    if (found !== undefined) return found;
  }
  return undefined;
}
