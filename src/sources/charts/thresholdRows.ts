/** The past changes of threshold levels as rows, for the annotations of a chart. */
import { createBadInputError } from '../../errors.js';
import { nextTurn } from '../../lib/slicedComputation.js';
import { advanceLevel, type LevelState } from '../../timeseries/thresholdLevels.js';
import { formatDateTime } from '../core/wireValues.js';
import type { Sources } from '../sources.js';
import type { TimeSpan } from '../timeline/dayPages.js';
import { loadStreamFields, type StreamFields, type StreamSelection } from './chartRows.js';

export interface ThresholdRow extends StreamFields {
  /** RFC 3339: the first sample in the level. */
  time: string;
  level: string;
  previousLevel: string;
  /** The sample that made the level count. */
  value: number | null;
}

/** Ten weeks of samples every five minutes. */
const MAX_SAMPLES = 20_000;
const MAX_ROWS = 10_000;

/** Rows by time. Throws BAD_USER_INPUT where a stream has too many samples in the range, or there are too many rows. */
export async function loadThresholdRows(
  sources: Pick<Sources, 'streams' | 'sites' | 'samples' | 'thresholds'>,
  selection: StreamSelection,
  span: TimeSpan,
): Promise<ThresholdRow[]> {
  const fields = await loadStreamFields(sources, selection);
  const perStream = await Promise.all(
    fields.map((stream) => sources.samples.runLimited(() => loadRows(sources, stream, span))),
  );
  const rows = perStream.flat();
  if (rows.length > MAX_ROWS) {
    throw createBadInputError('range', `has more than ${MAX_ROWS} changes; use a shorter range.`);
  }
  return rows.sort((one, other) => Date.parse(one.time) - Date.parse(other.time));
}

/** Samples in order of measurement: a sample that arrived late counts at its time. */
async function loadRows(
  { samples, thresholds }: Pick<Sources, 'samples' | 'thresholds'>,
  stream: StreamFields,
  span: TimeSpan,
): Promise<ThresholdRow[]> {
  const levels = await thresholds.levels(stream.streamId);
  if (levels.length < 2) return [];
  const paginator = samples.inRange({ id: stream.streamId, siteId: stream.siteId });
  const { items, hasMore } = await paginator.oldestFirst({ span, after: undefined, count: MAX_SAMPLES });
  if (hasMore) {
    const problem = `has more than ${MAX_SAMPLES} samples of the stream ${stream.streamId}; use a shorter range.`;
    throw createBadInputError('range', problem);
  }
  await nextTurn();
  const rows: ThresholdRow[] = [];
  let state: LevelState | undefined;
  for (const { id, sampledAt, value } of items) {
    const next = advanceLevel(levels, state, { id, sampledAtMs: Date.parse(sampledAt), value });
    state = next.state;
    if (next.change === undefined) continue;
    const { level, previous, enteredAtMs } = next.change;
    const nameOf = (index: number) => levels[index]?.name ?? '';
    rows.push({
      ...{ time: formatDateTime(enteredAtMs), value, ...stream },
      ...{ level: nameOf(level), previousLevel: nameOf(previous) },
    });
  }
  return rows;
}
