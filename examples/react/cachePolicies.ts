/** How Apollo Client merges objects and matches interfaces, as in docs/clients.md. A test compares both with the schema. */

/** Types without `id` whose fields from several responses may be merged. */
const merged = [
  ...['Location', 'GpsPosition', 'Classification', 'UiPreferences', 'SearchResult'],
  ...['ChannelFacets', 'DeviceFacets', 'SiteFacets', 'StreamFacets'],
  ...[
    'ChannelConnection',
    'DeviceConnection',
    'DeviceHealthConnection',
    'DeviceLogConnection',
    'ImageSampleConnection',
  ],
  ...[
    'OrganizationConnection',
    'RfidReadConnection',
    'RfidSampleConnection',
    'ScalarSampleConnection',
    'SiteConnection',
  ],
  ...['StreamConnection', 'UserConnection'],
];
export const typePolicies = Object.fromEntries(merged.map((name) => [name, { merge: true }]));

/** The types that implement each interface. */
export const possibleTypes = {
  Sample: ['ScalarSample', 'ImageSample', 'RfidSample'],
  Node: [
    ...['Organization', 'User', 'Site', 'Device', 'Channel', 'Stream', 'Threshold'],
    ...['ScalarSample', 'ImageSample', 'RfidSample'],
  ],
};
