/** Gives every third stream of a wave-like quantity a threshold of three levels. */
import type { WireThresholdLevel } from '../../rest/wire.js';
import { readThresholdBody } from '../endpoints/thresholdLevels.js';
import type { Signal } from './signal.js';
import type { World } from './world.js';

function levelsFor(signal: Extract<Signal, { shape: 'wave' }>): Partial<WireThresholdLevel>[] {
  const { base, amplitude } = signal;
  const limit = (times: number) => Number((base + amplitude * times).toFixed(2));
  return [
    { display_name: 'Low', comment: 'Below the usual range.', upper_limit: limit(-0.6) },
    { display_name: 'Normal', upper_limit: limit(0.75) },
    {
      display_name: 'High',
      comment: 'Someone should have a look.',
      false_alarm_filter: 120,
      sample_interval: 60,
      transmission_interval: 'event',
      transmit_immediately: true,
      notification_actions: [{ type: 'mail', user_group_id: 12, relevance_threshold: 1 }],
      output_actions: [{ type: 'set_up', channel_num: 3 }],
      sample_actions: [{ type: 'single', sample_group_id: 4 }],
    },
  ];
}

/** Levels pass through the reader of the POST body, so that seeded ones obey the same rules. */
export function planThreshold(world: World, streamId: number, signal: Signal): void {
  if (streamId % 3 !== 0 || signal.shape !== 'wave') return;
  world.rows.threshold.push([streamId, JSON.stringify(readThresholdBody({ levels: levelsFor(signal) }))]);
}
