/** The state of streams, sites and devices: threshold levels, alarms and silence, for lists and for single objects. */
import { createDeviceContacts } from './deviceContacts.js';
import { createSiteStates } from './siteStates.js';
import type { StateSources } from './stateSources.js';
import { createStreamLevels } from './streamLevels.js';
import { createStreamSilence } from './streamSilence.js';

export type States = ReturnType<typeof createStates>;

export function createStates(sources: StateSources, nowMs: () => number) {
  const levels = createStreamLevels(sources);
  const silence = createStreamSilence(sources, nowMs);
  return {
    ...levels,
    ...silence,
    ...createSiteStates(sources, levels, silence),
    ...createDeviceContacts(sources, nowMs),
  };
}
