/** The work that a part of a response leaves to later parts: deferred fragments, their field groups, and streamed lists. */
import type { DeferUsage } from '../collectFields.js';
import type {
  CollectedErrors,
  DeferredGroup,
  ExecutionContext,
  PartRecorder,
  ResponsePath,
  StreamedList,
} from '../executionContext.js';

type Path = ResponsePath | undefined;

/** A fragment with `@defer` at one object of the response. */
export class DeferredFragment {
  readonly label: string | undefined;
  readonly path: Path;
  /** The fragment that is delivered before this one. */
  readonly parent: DeferredFragment | undefined;
  /** The groups that are not executed yet. */
  readonly pending = new Set<ExecutionGroup>();
  /** The groups that are executed and not delivered yet. */
  readonly finished = new Set<FinishedGroup>();
  /** Parts that wait for this fragment. */
  readonly children = new Set<DeferredFragment | StreamedList>();
  /** Whether one of its groups has failed. Then neither the fragment nor anything within it is delivered. */
  hasFailed = false;

  constructor(label: string | undefined, path: Path, parent: DeferredFragment | undefined) {
    this.label = label;
    this.path = path;
    this.parent = parent;
  }
}

/** A group with its fragments, which share its fields. */
export interface ExecutionGroup extends Omit<DeferredGroup, 'usages'> {
  readonly fragments: readonly DeferredFragment[];
  hasStarted: boolean;
}

export interface FinishedGroup {
  readonly group: ExecutionGroup;
  readonly result: PartResult;
}

export type PartRecord = ExecutionGroup | StreamedList;

/** The result of executing a group or a streamed item. */
export interface PartResult {
  /** JSON. */
  readonly text: string;
  readonly errors: CollectedErrors;
  /** The work that this part leaves to later parts. */
  readonly records: readonly PartRecord[];
  /** Call it when the text is delivered or discarded, to make room for other parts. */
  release(): void;
}

/** The fragments that are open at each path, for all parts of a response. */
type OpenFragments = Map<Path, Map<DeferUsage, DeferredFragment>>;

export interface PartContext extends ExecutionContext {
  readonly part: PartRecords;
}

export class PartRecords implements PartRecorder {
  readonly #open: OpenFragments;
  /** The fragment around everything that this part defers; undefined in the initial result and in streamed items. */
  readonly #enclosing: DeferredFragment | undefined;
  readonly #records: PartRecord[] = [];
  #isClosed = false;

  constructor(open: OpenFragments = new Map(), enclosing?: DeferredFragment) {
    this.#open = open;
    this.#enclosing = enclosing;
  }

  open(usages: readonly DeferUsage[], path: Path): void {
    if (this.#isClosed || usages.length === 0) return;
    const fragments = new Map<DeferUsage, DeferredFragment>();
    this.#open.set(path, fragments);
    for (const usage of usages) {
      const parent = usage.parent ? this.#find(usage.parent, path) : this.#enclosing;
      fragments.set(usage, new DeferredFragment(usage.label, path, parent));
    }
  }

  defer({ usages, source, path, execute }: DeferredGroup): void {
    if (this.#isClosed) return;
    const fragments = usages.map((usage) => this.#find(usage, path)).filter((found) => found !== undefined);
    this.#records.push({ fragments, source, path, execute, hasStarted: false });
  }

  stream(list: StreamedList): void {
    if (!this.#isClosed) this.#records.push(list);
  }

  /** The context of a later part of the same response. */
  createContext(context: ExecutionContext, enclosing?: DeferredFragment): PartContext {
    const part = new PartRecords(this.#open, enclosing);
    return { ...context, errors: context.errors.forPart(), nonRepeatableCount: 0, characters: 0, part };
  }

  /**
   * The records, without those below a null. Ignores records that are added later, because they come from fields
   * that no longer matter.
   */
  close(errors: CollectedErrors): readonly PartRecord[] {
    this.#isClosed = true;
    return this.#records.filter(({ path }) => !errors.isBelowNull(path));
  }

  /** Paths of one response are the same objects in all of its parts. */
  #find(usage: DeferUsage, path: Path): DeferredFragment | undefined {
    for (let ancestor = path; ancestor !== undefined; ancestor = ancestor.prev) {
      const found = this.#open.get(ancestor)?.get(usage);
      if (found) return found;
    }
    return this.#open.get(undefined)?.get(usage);
  }
}
