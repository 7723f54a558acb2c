/** The shape of the accounts that the stub serves, and its reports. */

export type AccountStubReport = { port: number } | { calls: Record<string, number> };

export const SHAPE = { devicesPerSite: 2, channelsPerDevice: 4, streamsPerSite: 4 } as const;
export const LIST_LENGTH = 10_000;
/** Each stream has a sample at this interval; the streams are spread over it. */
export const SAMPLE_STEP_SECONDS = 300;
