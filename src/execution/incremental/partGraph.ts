/**
 * Decides which parts of a response are announced, which may be executed, and which are complete. It follows graphql-js
 * 17, whose rules the format `incrementalSpec=v0.2` describes: a fragment is announced when the fragment around it is
 * delivered, and delivered when all of its groups are executed; fields that several fragments share come with the first.
 */
import type { StreamedList } from '../executionContext.js';
import {
  DeferredFragment,
  type ExecutionGroup,
  type FinishedGroup,
  type PartRecord,
  type PartResult,
} from './partRecords.js';

export type PartNode = DeferredFragment | StreamedList;

export interface DeliveredFragment {
  fragment: DeferredFragment;
  groups: readonly FinishedGroup[];
  announced: readonly PartNode[];
}

export class PartGraph {
  /** Announced and not complete. */
  readonly #announced = new Set<PartNode>();
  readonly #groups: ExecutionGroup[] = [];
  readonly #lists: StreamedList[] = [];
  /** A list in fields that several fragments share is announced with the first of them. */
  readonly #seenLists = new WeakSet<StreamedList>();

  hasNext(): boolean {
    return this.#announced.size > 0;
  }

  /** Adds the records of the initial result or of a streamed item. Returns the parts that are announced. */
  addRoots(records: readonly PartRecord[]): readonly PartNode[] {
    const roots = new Set<PartNode>();
    this.#add(records, [], roots);
    return this.#announce(roots);
  }

  /** At most `max` groups that may be executed now. Each is returned once. */
  takeGroups(max: number): readonly ExecutionGroup[] {
    return this.#groups.splice(0, max);
  }

  /** The streamed lists that have been announced since the last call. */
  takeLists(): readonly StreamedList[] {
    return this.#lists.splice(0);
  }

  /** Records the result of a group. Returns the fragments that it completes. */
  finish(group: ExecutionGroup, result: PartResult): readonly DeliveredFragment[] {
    const finished = { group, result };
    for (const { pending, finished: results } of group.fragments) {
      pending.delete(group);
      results.add(finished);
    }
    discardUndelivered(finished);
    this.#add(result.records, group.fragments, new Set());
    return group.fragments.flatMap((fragment) => this.#deliver(fragment));
  }

  /** Records the failure of a group. Returns the announced fragments that fail with it. */
  fail(group: ExecutionGroup): readonly DeferredFragment[] {
    for (const fragment of group.fragments) fragment.hasFailed = true;
    for (const { finished } of group.fragments) finished.forEach(discardUndelivered);
    return group.fragments.filter((fragment) => this.#announced.delete(fragment));
  }

  endList(list: StreamedList): void {
    this.#announced.delete(list);
  }

  /** Also delivers fragments that this delivery announces, if all of their groups have already been executed. */
  #deliver(fragment: DeferredFragment): DeliveredFragment[] {
    if (!this.#announced.has(fragment) || fragment.pending.size > 0) return [];
    this.#announced.delete(fragment);
    const groups = [...fragment.finished];
    for (const finished of groups) {
      for (const other of finished.group.fragments) other.finished.delete(finished);
    }
    const announced = this.#announce(fragment.children);
    const fragments = announced.filter((node) => node instanceof DeferredFragment);
    return [{ fragment, groups, announced }, ...fragments.flatMap((one) => this.#deliver(one))];
  }

  #add(records: readonly PartRecord[], parents: readonly DeferredFragment[], roots: Set<PartNode>): void {
    for (const record of records) {
      if ('fragments' in record) this.#addGroup(record, roots);
      else if (parents.length === 0) roots.add(record);
      else for (const { children } of parents) children.add(record);
    }
  }

  #addGroup(group: ExecutionGroup, roots: Set<PartNode>): void {
    for (const fragment of group.fragments) {
      this.#addFragment(fragment, roots);
      fragment.pending.add(group);
    }
    if (group.fragments.some((fragment) => this.#announced.has(fragment))) this.#start(group);
  }

  #addFragment(fragment: DeferredFragment, roots: Set<PartNode>): void {
    if (this.#announced.has(fragment)) return;
    if (fragment.parent === undefined) roots.add(fragment);
    else {
      fragment.parent.children.add(fragment);
      this.#addFragment(fragment.parent, roots);
    }
  }

  #announce(candidates: Set<PartNode>): readonly PartNode[] {
    const announced: PartNode[] = [];
    // The iteration also visits candidates that are added while it runs.
    for (const node of candidates) {
      const isNew = node instanceof DeferredFragment ? this.#begin(node, candidates) : this.#addList(node);
      if (!isNew) continue;
      this.#announced.add(node);
      announced.push(node);
    }
    return announced;
  }

  /**
   * A fragment without fields of its own is never announced; the fragments within it are announced instead. Fields
   * that it shares with a failed fragment may already have been executed.
   */
  #begin(fragment: DeferredFragment, candidates: Set<PartNode>): boolean {
    if (fragment.hasFailed) return false;
    if (fragment.pending.size === 0 && fragment.finished.size === 0) {
      for (const child of fragment.children) candidates.add(child);
      return false;
    }
    for (const group of fragment.pending) this.#start(group);
    return true;
  }

  #addList(list: StreamedList): boolean {
    if (this.#seenLists.has(list)) return false;
    this.#seenLists.add(list);
    this.#lists.push(list);
    return true;
  }

  #start(group: ExecutionGroup): void {
    if (group.hasStarted) return;
    group.hasStarted = true;
    this.#groups.push(group);
  }
}

/** Discards the result of a group that belongs only to failed fragments, because no part delivers it. */
function discardUndelivered({ group, result }: FinishedGroup): void {
  if (!group.fragments.every(isUndelivered)) return;
  result.errors.discard();
  result.release();
}

function isUndelivered({ hasFailed, parent }: DeferredFragment): boolean {
  return hasFailed || (parent !== undefined && isUndelivered(parent));
}
