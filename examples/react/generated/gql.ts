/* eslint-disable */
import * as types from './graphql';
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';

/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  query SiteStreams($id: ID!) {\n    site(id: $id) {\n      id\n      name\n      streams { id name units }\n    }\n  }\n": typeof types.SiteStreamsDocument,
    "\n  query Chart($id: ID!, $range: TimeRange!, $after: String) {\n    stream(id: $id) {\n      id\n      threshold {\n        id\n        levels {\n          name lowerLimit upperLimit\n          transmissionInterval transmitImmediately notificationActions { type } outputActions { type }\n        }\n      }\n      series(range: $range, maxPoints: 500, method: MEAN, after: $after) { times values min max cursor replaceFrom }\n    }\n  }\n": typeof types.ChartDocument,
    "\n  subscription Samples($streamId: ID!) { sampleReceived(streamIds: [$streamId], kinds: [SCALAR]) { id } }\n": typeof types.SamplesDocument,
    "\n  query Sites {\n    sites(first: 1000, orderBy: { field: NAME }) { nodes { id name location { latitude longitude } } }\n  }\n": typeof types.SitesDocument,
    "\n  query Alarms {\n    sites(first: 1000, filter: { worstAlarm: [EVENT, EMERGENCY] }) { nodes { id } }\n    streams(filter: { alarmLevel: [EVENT, EMERGENCY] }, orderBy: { field: ALARM_LEVEL, direction: DESC }) {\n      nodes { id name units site { id name } threshold { id level { name } } lastSample { id value sampledAt } }\n    }\n  }\n": typeof types.AlarmsDocument,
    "\n  subscription AlarmChanges { thresholdStatusChanged { cursor } }\n": typeof types.AlarmChangesDocument,
};
const documents: Documents = {
    "\n  query SiteStreams($id: ID!) {\n    site(id: $id) {\n      id\n      name\n      streams { id name units }\n    }\n  }\n": types.SiteStreamsDocument,
    "\n  query Chart($id: ID!, $range: TimeRange!, $after: String) {\n    stream(id: $id) {\n      id\n      threshold {\n        id\n        levels {\n          name lowerLimit upperLimit\n          transmissionInterval transmitImmediately notificationActions { type } outputActions { type }\n        }\n      }\n      series(range: $range, maxPoints: 500, method: MEAN, after: $after) { times values min max cursor replaceFrom }\n    }\n  }\n": types.ChartDocument,
    "\n  subscription Samples($streamId: ID!) { sampleReceived(streamIds: [$streamId], kinds: [SCALAR]) { id } }\n": types.SamplesDocument,
    "\n  query Sites {\n    sites(first: 1000, orderBy: { field: NAME }) { nodes { id name location { latitude longitude } } }\n  }\n": types.SitesDocument,
    "\n  query Alarms {\n    sites(first: 1000, filter: { worstAlarm: [EVENT, EMERGENCY] }) { nodes { id } }\n    streams(filter: { alarmLevel: [EVENT, EMERGENCY] }, orderBy: { field: ALARM_LEVEL, direction: DESC }) {\n      nodes { id name units site { id name } threshold { id level { name } } lastSample { id value sampledAt } }\n    }\n  }\n": types.AlarmsDocument,
    "\n  subscription AlarmChanges { thresholdStatusChanged { cursor } }\n": types.AlarmChangesDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 *
 *
 * @example
 * ```ts
 * const query = graphql(`query GetUser($id: ID!) { user(id: $id) { name } }`);
 * ```
 *
 * The query argument is unknown!
 * Please regenerate the types.
 */
export function graphql(source: string): unknown;

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query SiteStreams($id: ID!) {\n    site(id: $id) {\n      id\n      name\n      streams { id name units }\n    }\n  }\n"): (typeof documents)["\n  query SiteStreams($id: ID!) {\n    site(id: $id) {\n      id\n      name\n      streams { id name units }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Chart($id: ID!, $range: TimeRange!, $after: String) {\n    stream(id: $id) {\n      id\n      threshold {\n        id\n        levels {\n          name lowerLimit upperLimit\n          transmissionInterval transmitImmediately notificationActions { type } outputActions { type }\n        }\n      }\n      series(range: $range, maxPoints: 500, method: MEAN, after: $after) { times values min max cursor replaceFrom }\n    }\n  }\n"): (typeof documents)["\n  query Chart($id: ID!, $range: TimeRange!, $after: String) {\n    stream(id: $id) {\n      id\n      threshold {\n        id\n        levels {\n          name lowerLimit upperLimit\n          transmissionInterval transmitImmediately notificationActions { type } outputActions { type }\n        }\n      }\n      series(range: $range, maxPoints: 500, method: MEAN, after: $after) { times values min max cursor replaceFrom }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription Samples($streamId: ID!) { sampleReceived(streamIds: [$streamId], kinds: [SCALAR]) { id } }\n"): (typeof documents)["\n  subscription Samples($streamId: ID!) { sampleReceived(streamIds: [$streamId], kinds: [SCALAR]) { id } }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Sites {\n    sites(first: 1000, orderBy: { field: NAME }) { nodes { id name location { latitude longitude } } }\n  }\n"): (typeof documents)["\n  query Sites {\n    sites(first: 1000, orderBy: { field: NAME }) { nodes { id name location { latitude longitude } } }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Alarms {\n    sites(first: 1000, filter: { worstAlarm: [EVENT, EMERGENCY] }) { nodes { id } }\n    streams(filter: { alarmLevel: [EVENT, EMERGENCY] }, orderBy: { field: ALARM_LEVEL, direction: DESC }) {\n      nodes { id name units site { id name } threshold { id level { name } } lastSample { id value sampledAt } }\n    }\n  }\n"): (typeof documents)["\n  query Alarms {\n    sites(first: 1000, filter: { worstAlarm: [EVENT, EMERGENCY] }) { nodes { id } }\n    streams(filter: { alarmLevel: [EVENT, EMERGENCY] }, orderBy: { field: ALARM_LEVEL, direction: DESC }) {\n      nodes { id name units site { id name } threshold { id level { name } } lastSample { id value sampledAt } }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription AlarmChanges { thresholdStatusChanged { cursor } }\n"): (typeof documents)["\n  subscription AlarmChanges { thresholdStatusChanged { cursor } }\n"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;