/** The sources that states are decided from. */
import type { OperationTurns } from '../../lib/turnBudget.js';
import type { ChannelLinks } from '../entities/channelLinks.js';
import type { Channels } from '../entities/channels.js';
import type { DeviceRecords } from '../entities/deviceRecords.js';
import type { Streams } from '../entities/streams.js';
import type { Thresholds } from '../entities/thresholds.js';
import type { Samples } from '../timeline/sampleSources.js';

/** Those of a restricted caller decide restricted states. */
export interface StateSources {
  turns: OperationTurns;
  samples: Pick<Samples, 'last' | 'recent'>;
  thresholds: Pick<Thresholds, 'knownLevels' | 'levels' | 'status'>;
  streams: Pick<Streams, 'prefetch' | 'ofSite'>;
  channels: Pick<Channels, 'prefetch' | 'ofDevice'>;
  channelLinks: Pick<ChannelLinks, 'prefetch' | 'streamsOf'>;
  deviceRecords: Pick<DeviceRecords, 'lastHealth' | 'lastLog'>;
}
